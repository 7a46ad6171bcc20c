-- What was archived before archived rows left search: out of it, and out of the sizes that search counts with.
-- The owner reads nothing under forced row security, so it has policies of its own for the time of this.
CREATE POLICY leave_search ON memory FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY leave_search ON posting FOR ALL TO CURRENT_USER USING (true);
CREATE POLICY leave_search ON collection_stat FOR ALL TO CURRENT_USER USING (true);
WITH hidden AS (
    UPDATE posting p SET live = false
    FROM memory m
    WHERE m.tenant_id = p.tenant_id AND m.id = p.memory_id AND m.archived_at IS NOT NULL AND p.live
    RETURNING p.tenant_id, p.classification, p.memory_id, p.length
), gone AS (
    SELECT h.tenant_id, h.classification, count(*) AS documents, sum(h.length) AS length
    FROM (SELECT DISTINCT * FROM hidden) h GROUP BY h.tenant_id, h.classification
)
UPDATE collection_stat s
SET documents = s.documents - g.documents, total_length = s.total_length - g.length, version = s.version + 1
FROM gone g WHERE g.tenant_id = s.tenant_id AND g.classification = s.classification;
DROP POLICY leave_search ON collection_stat;
DROP POLICY leave_search ON posting;
DROP POLICY leave_search ON memory;
