-- What rules of classification would raise (docs/decisions/0033): the reading by which a candidate is answered and a
-- migration is carried out. That of the leak checker is another one, in Python over the rows of leaks.sql.

-- find_raised --
-- The memories that %(rules)s raise above %(above)s, as far as who asks may read them: ids, the class each has and would
-- have, and whether a rule names it itself. What rests on a raised one follows, over any depth, as
-- candor_hold_descendants has it. rules: [{rank, project, domain, kinds, tags, agent, pattern}], null for what is not
-- asked. The highest first, and of these what is named before what follows it.
WITH RECURSIVE rule AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(%(rules)s::jsonb)
                  AS r (rank smallint, project uuid, domain text, kinds text[], tags text[], agent uuid, pattern text)
), named (id, rank) AS MATERIALIZED (
    SELECT m.id, max(r.rank)
    FROM rule r
    JOIN memory m ON m.tenant_id = %(tenant)s AND m.classification < r.rank
        AND (r.project IS NULL OR m.project_id = r.project)
        AND (r.agent IS NULL OR m.agent_id = r.agent)
        AND (r.domain IS NULL OR m.domain = r.domain)
        AND (r.kinds IS NULL OR m.kind = ANY (r.kinds))
        AND (r.tags IS NULL OR m.tags && r.tags OR m.manual_tags && r.tags)
        AND (r.pattern IS NULL OR m.content ~ r.pattern)
    WHERE r.rank > %(above)s
    GROUP BY m.id
), raised (id, rank) AS (
    SELECT n.id, n.rank FROM named n
    UNION
    SELECT l.child_id, d.rank FROM raised d JOIN lineage l ON l.tenant_id = %(tenant)s AND l.parent_id = d.id
)
SELECT m.id, m.classification AS former, max(d.rank) AS rank, EXISTS (SELECT FROM named n WHERE n.id = m.id) AS named
FROM raised d JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = d.id
WHERE d.rank > m.classification
GROUP BY m.tenant_id, m.id, m.classification
ORDER BY rank DESC, named DESC, m.id;

-- read_stamp --
-- What tells one state of all that find_raised reads from another, for whoever asks: every memory and every line of
-- lineage by itself and by the transaction that wrote it last. 10 ms for 20 000, where five words take 80.
SELECT (SELECT coalesce(sum(uuid_hash_extended(m.id, m.xmin::text::bigint)), 0) FROM memory m WHERE m.tenant_id = %(tenant)s)::text
       || ':' ||
       (SELECT coalesce(sum(uuid_hash_extended(l.child_id, l.xmin::text::bigint)), 0) FROM lineage l WHERE l.tenant_id = %(tenant)s)::text
       AS stamp;

-- count_beside --
-- How many captures hold the words of the memories %(ids)s, which would have the classes %(ranks)s, and would rise with
-- them; and how many current values would wait for an answer, because another one stands in the class they come to.
WITH raised AS MATERIALIZED (
    SELECT r.id, r.rank FROM unnest(%(ids)s::uuid[], %(ranks)s::smallint[]) AS r (id, rank)
), holding AS (
    SELECT m.capture_id AS id, r.rank FROM raised r JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = r.id
    UNION ALL
    SELECT c.id, r.rank FROM capture c CROSS JOIN LATERAL jsonb_array_elements_text(c.memory_ids) AS e (id)
    JOIN raised r ON r.id = e.id::uuid
    WHERE c.tenant_id = %(tenant)s
), standing AS (
    SELECT count(*) - 1 AS others, count(r.id) AS raised
    FROM memory m LEFT JOIN raised r ON r.id = m.id
    WHERE m.tenant_id = %(tenant)s AND m.card = 'state' AND m.cardinality = 'single' AND m.standing = 0
      AND m.archived_at IS NULL AND m.entity_key IS NOT NULL AND m.concept_key IS NOT NULL
    GROUP BY m.entity_key, m.concept_key, m.project_id, m.agent_id, m.shared, m.domain, m.person, coalesce(r.rank, m.classification)
)
SELECT (SELECT count(DISTINCT c.id) FROM holding h JOIN capture c ON c.tenant_id = %(tenant)s AND c.id = h.id
        WHERE c.classification < h.rank) AS captures,
       (SELECT coalesce(sum(s.others), 0)::integer FROM standing s WHERE s.raised > 0) AS waiting;
