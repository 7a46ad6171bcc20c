-- Going through a tenant's memories part by part. Every statement says the tenant itself, beside row security.

-- find_span --
-- The last memory of the next %(most)s after %(after)s, by id, and how many they are; NULL when there is none.
SELECT (array_agg(s.memory_id ORDER BY s.memory_id DESC))[1] AS upto, count(*) AS size
FROM (SELECT u.memory_id FROM usage u
      WHERE u.tenant_id = %(tenant)s AND u.memory_id > %(after)s::uuid
      ORDER BY u.memory_id LIMIT %(most)s) s;

-- count_all --
-- How many memories there are to go through.
SELECT count(*) AS size FROM usage u WHERE u.tenant_id = %(tenant)s;
