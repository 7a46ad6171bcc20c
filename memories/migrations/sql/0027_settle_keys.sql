-- Write the keys of respelled_key (sort, old, new) in their new spelling, and settle what thereby meets, as SPEC W-12
-- would: of several current values of one concept, owner and audience the newest stands; an older one of an equal or
-- weaker origin is superseded by it, one of a better origin waits as a contender with an open question. An older value
-- that is trusted by 0.30 more than the newest stands in its place, and the others of a weaker origin wait.
-- Nothing is deleted but a triple that says of one memory what another of it says in the new spelling.

CREATE TEMPORARY TABLE met_key ON COMMIT DROP AS
WITH spelled AS (
    SELECT m.*, coalesce(e.new, m.entity_key) AS entity, coalesce(c.new, m.concept_key) AS concept
    FROM memory m
    LEFT JOIN respelled_key e ON e.sort = 'entity' AND e.old = m.entity_key
    LEFT JOIN respelled_key c ON c.sort = 'concept' AND c.old = m.concept_key
    WHERE m.card = 'state' AND m.cardinality = 'single' AND m.standing = 0 AND m.archived_at IS NULL
      AND m.entity_key IS NOT NULL AND m.concept_key IS NOT NULL
), newest AS (
    SELECT s.*, count(*) OVER same AS many,
           first_value(s.trust) OVER (same ORDER BY s.effective_at DESC, s.created_at DESC, s.id DESC) AS newest_trust
    FROM spelled s
    WINDOW same AS (PARTITION BY s.tenant_id, s.entity, s.concept, s.project_id, s.agent_id, s.shared, s.domain,
                    s.classification)
), ranked AS (
    SELECT n.*, first_value(n.id) OVER (
               PARTITION BY n.tenant_id, n.entity, n.concept, n.project_id, n.agent_id, n.shared, n.domain,
                            n.classification
               ORDER BY n.trust - n.newest_trust >= 0.30 DESC, n.effective_at DESC, n.created_at DESC, n.id DESC
           ) AS winner_id
    FROM newest n WHERE n.many > 1
)
SELECT r.tenant_id, r.id, r.winner_id, r.entity, r.concept, r.classification, r.trust, r.effective_at,
       w.trust AS winner_trust, w.effective_at AS winner_effective_at,
       candor_weight(w.provenance) >= candor_weight(r.provenance) AND w.effective_at >= r.effective_at AS is_over
FROM ranked r JOIN memory w ON w.tenant_id = r.tenant_id AND w.id = r.winner_id
WHERE r.id <> r.winner_id;

UPDATE memory m
SET standing = CASE WHEN k.is_over THEN 2 ELSE 1 END,
    superseded_at = CASE WHEN k.is_over THEN now() ELSE m.superseded_at END,
    superseded_by_id = CASE WHEN k.is_over THEN k.winner_id ELSE m.superseded_by_id END,
    updated_at = now()
FROM met_key k WHERE m.tenant_id = k.tenant_id AND m.id = k.id;

-- What stands no longer leaves search and the sizes that search counts with.
WITH hidden AS (
    UPDATE posting p SET live = false
    FROM met_key k WHERE p.tenant_id = k.tenant_id AND p.memory_id = k.id AND p.live
    RETURNING p.tenant_id, p.classification, p.memory_id, p.length
), gone AS (
    SELECT h.tenant_id, h.classification, count(*) AS documents, sum(h.length) AS length
    FROM (SELECT DISTINCT * FROM hidden) h GROUP BY h.tenant_id, h.classification
)
UPDATE collection_stat s
SET documents = s.documents - g.documents, total_length = s.total_length - g.length, version = s.version + 1
FROM gone g WHERE g.tenant_id = s.tenant_id AND g.classification = s.classification;

UPDATE memory m
SET entity_key = coalesce((SELECT r.new FROM respelled_key r WHERE r.sort = 'entity' AND r.old = m.entity_key),
                          m.entity_key),
    concept_key = coalesce((SELECT r.new FROM respelled_key r WHERE r.sort = 'concept' AND r.old = m.concept_key),
                           m.concept_key)
WHERE EXISTS (SELECT 1 FROM respelled_key r
              WHERE (r.sort = 'entity' AND r.old = m.entity_key) OR (r.sort = 'concept' AND r.old = m.concept_key));

UPDATE contradiction q
SET entity_key = coalesce((SELECT r.new FROM respelled_key r WHERE r.sort = 'entity' AND r.old = q.entity_key),
                          q.entity_key),
    concept_key = coalesce((SELECT r.new FROM respelled_key r WHERE r.sort = 'concept' AND r.old = q.concept_key),
                           q.concept_key)
WHERE EXISTS (SELECT 1 FROM respelled_key r
              WHERE (r.sort = 'entity' AND r.old = q.entity_key) OR (r.sort = 'concept' AND r.old = q.concept_key));

DELETE FROM triple t
USING triple o, respelled_key r
WHERE r.sort = 'concept' AND r.old = t.predicate AND o.tenant_id = t.tenant_id AND o.memory_id = t.memory_id
  AND o.subject_id = t.subject_id AND o.object_text = t.object_text AND o.id <> t.id
  AND (o.predicate = r.new
       OR (o.id < t.id AND EXISTS (SELECT 1 FROM respelled_key s
                                   WHERE s.sort = 'concept' AND s.old = o.predicate AND s.new = r.new)));

UPDATE triple t SET predicate = r.new FROM respelled_key r WHERE r.sort = 'concept' AND r.old = t.predicate;

-- A question one side of which is superseded now is idle; the verdict names the side that is left.
UPDATE contradiction q
SET verdict = CASE WHEN n.standing = 2 AND o.standing <> 2 THEN 'keep_old' ELSE 'accept_new' END,
    resolved_at = now(), resolved_by = 'superseded'
FROM memory o, memory n
WHERE q.resolved_at IS NULL
  AND o.tenant_id = q.tenant_id AND o.id = q.older_id AND n.tenant_id = q.tenant_id AND n.id = q.newer_id
  AND (o.standing = 2 OR n.standing = 2 OR (o.standing = 1 AND n.standing = 1))
  AND EXISTS (SELECT 1 FROM met_key k WHERE k.tenant_id = q.tenant_id AND k.entity = q.entity_key
                AND k.concept = q.concept_key);

-- Every contender of a concept that met another is asked about against what stands now, unless it is already.
INSERT INTO contradiction (tenant_id, id, older_id, newer_id, entity_key, concept_key, trust_gap, reason, opened_at,
                           verdict, resolved_at, resolved_by, classification)
SELECT w.tenant_id, gen_random_uuid(),
       CASE WHEN w.effective_at < c.effective_at THEN w.id ELSE c.id END,
       CASE WHEN w.effective_at < c.effective_at THEN c.id ELSE w.id END,
       w.entity_key, w.concept_key,
       CASE WHEN w.effective_at < c.effective_at THEN c.trust - w.trust ELSE w.trust - c.trust END,
       'two spellings of one key met', now(), NULL, NULL, '', w.classification
FROM memory w
JOIN memory c ON c.tenant_id = w.tenant_id AND c.entity_key = w.entity_key AND c.concept_key = w.concept_key
    AND c.card = 'state' AND c.standing = 0 AND c.archived_at IS NULL AND c.cardinality = 'single'
    AND c.agent_id IS NOT DISTINCT FROM w.agent_id AND c.project_id IS NOT DISTINCT FROM w.project_id
    AND c.shared = w.shared AND c.domain = w.domain AND c.classification = w.classification
WHERE w.card = 'state' AND w.standing = 1 AND w.archived_at IS NULL
  AND EXISTS (SELECT 1 FROM met_key k WHERE k.tenant_id = w.tenant_id AND k.entity = w.entity_key
                AND k.concept = w.concept_key)
  AND NOT EXISTS (SELECT 1 FROM contradiction q WHERE q.tenant_id = w.tenant_id AND w.id IN (q.older_id, q.newer_id)
                    AND q.resolved_at IS NULL)
ON CONFLICT (tenant_id, older_id, newer_id) DO UPDATE
SET verdict = NULL, resolved_at = NULL, resolved_by = '', opened_at = excluded.opened_at, reason = excluded.reason
WHERE contradiction.resolved_by = 'superseded';
