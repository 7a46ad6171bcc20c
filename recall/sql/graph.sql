-- graph --
-- One hop from what the other channels found (SPEC R-09): at most %(graph_depth)s visible memories, the
-- strongest first, over links, over entities that both speak of, and over triples that continue each other.
--
-- Seeds: the %(graph_seeds)s strongest finds. Strength is what fusion will make of a find: each channel's scores scaled
-- from its worst to its best (a time's from 0, which is all that lies outside) and weighed by its voice, in [0, 1]. A
-- raw sum would be one channel's: cosines differ in the second digit, the words' shares in the first.
-- Hubs: what a seed hangs on: its own links; each entity that it mentions; an entity that is the object of one of
-- its triples, looked up as a subject, and the other way round. A hub that several seeds share lends by the
-- strongest of them, to that one itself by the next. `most` bounds what is read of an entity; links are
-- bounded where they are made (SPEC M-09).
-- Score: strength × the edge's weight, the best of all ways to a memory, in (0, 1]; a link's weight is that of its type
-- × its own × how sure it is; that of an entity is shared by all it leads to, / sqrt of their number, and nothing
-- where more of what the viewer sees hangs on it than %(graph_fan)s others or a fifth of all.
-- All that is read is held against `visible` before it counts, so a hidden memory is no neighbour, no way to one, and
-- makes no entity less rare. A superseded end of a link leads on to what took its place, over rows between that are the
-- viewer's to read though they hold no more; of all these `visible` keeps what holds at the time asked about. Mentions
-- need no such way: a successor speaks of the same entity itself.
heard AS MATERIALIZED (
    SELECT f.memory_id, v.channel, v.score, v.weight
    FROM found f
    CROSS JOIN LATERAL (VALUES
        ('semantic', f.semantic, %(graph_semantic)s::float8), ('lexical', f.lexical, %(graph_lexical)s::float8),
        ('tag', f.tag, %(graph_tag)s::float8), ('fuzzy', f.fuzzy, %(graph_fuzzy)s::float8),
        ('time', f.time, %(graph_time)s::float8)) AS v (channel, score, weight)
    WHERE v.score IS NOT NULL
), spread AS (
    SELECT h.channel, h.weight, CASE WHEN h.channel = 'time' THEN 0 ELSE min(h.score) END AS worst, max(h.score) AS best
    FROM heard h GROUP BY h.channel, h.weight
), scaled AS (
    SELECT h.memory_id,
           h.weight * CASE WHEN s.best > s.worst THEN (h.score - s.worst) / (s.best - s.worst) ELSE 1 END AS share
    FROM heard h JOIN spread s ON s.channel = h.channel
), seed AS MATERIALIZED (
    SELECT s.memory_id,
           floor(1e9 * sum(s.share) / (SELECT sum(weight) FROM spread) + 0.5) / 1e9 AS strength
    FROM scaled s
    GROUP BY s.memory_id
    HAVING sum(s.share) > 0
    ORDER BY strength DESC, s.memory_id DESC
    LIMIT %(graph_seeds)s
), hub AS MATERIALIZED (
    SELECT h.kind, h.id,
           (array_agg(h.seed ORDER BY h.strength DESC, h.seed DESC))[1] AS first_seed,
           (array_agg(h.strength ORDER BY h.strength DESC, h.seed DESC))[1] AS first,
           coalesce((array_agg(h.strength ORDER BY h.strength DESC, h.seed DESC))[2], 0) AS second,
           CASE WHEN h.kind <> 'link' THEN %(graph_fan)s + 2 END AS most
    FROM (
        SELECT 'link' AS kind, s.memory_id AS id, s.memory_id AS seed, s.strength FROM seed s
        UNION
        SELECT 'mention', n.entity_id, s.memory_id, s.strength
        FROM seed s CROSS JOIN LATERAL (
            SELECT n.entity_id FROM mention n
            WHERE n.tenant_id = %(tenant)s AND n.memory_id = s.memory_id
            ORDER BY n.entity_id LIMIT %(graph_hubs)s) n
        UNION
        SELECT e.kind, e.id, s.memory_id, s.strength
        FROM seed s CROSS JOIN LATERAL (
            SELECT t.subject_id, t.object_id FROM triple t
            WHERE t.tenant_id = %(tenant)s AND t.memory_id = s.memory_id AND t.superseded_at IS NULL
            ORDER BY t.id LIMIT %(graph_hubs)s) t
        CROSS JOIN LATERAL (VALUES ('subject', t.object_id), ('object', t.subject_id)) AS e (kind, id)
        WHERE e.id IS NOT NULL
    ) h
    GROUP BY h.kind, h.id
), reached AS (
    SELECT h.kind, h.first_seed, h.first, h.second, r.memory_id, r.weight,
           count(*) FILTER (WHERE r.memory_id <> h.first_seed) OVER (PARTITION BY h.kind, h.id) AS fan
    FROM hub h CROSS JOIN LATERAL (
        SELECT e.memory_id, e.weight
        FROM (
            SELECT stands.id AS memory_id, l.weight
            FROM (
                SELECT l.target_id AS id, l.weight * l.confidence
                       * (%(graph_weights_out)s::float8[])[array_position(%(graph_types)s::text[], l.type)] AS weight
                FROM link l
                WHERE h.kind = 'link' AND l.tenant_id = %(tenant)s AND l.source_id = h.id
                UNION ALL
                SELECT l.source_id, l.weight * l.confidence
                       * (%(graph_weights_in)s::float8[])[array_position(%(graph_types)s::text[], l.type)]
                FROM link l
                WHERE h.kind = 'link' AND l.tenant_id = %(tenant)s AND l.target_id = h.id
            ) l
            CROSS JOIN LATERAL (
                WITH RECURSIVE later AS (
                    SELECT l.id, 0 AS steps
                    UNION ALL
                    SELECT m.superseded_by_id, e.steps + 1
                    FROM later e JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = e.id
                    WHERE m.standing = 2 AND m.archived_at IS NULL AND e.steps < %(graph_chain)s
                      AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
                                         %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[],
                                         %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, NULL)
                )
                SELECT later.id FROM later
            ) stands
            WHERE l.weight > 0
            UNION ALL
            SELECT n.memory_id, %(graph_mention)s
            FROM mention n
            WHERE h.kind = 'mention' AND n.tenant_id = %(tenant)s AND n.entity_id = h.id
            UNION ALL
            SELECT t.memory_id, %(graph_triple)s
            FROM triple t
            WHERE h.kind = 'subject' AND t.tenant_id = %(tenant)s AND t.subject_id = h.id AND t.superseded_at IS NULL
            UNION ALL
            SELECT t.memory_id, %(graph_triple)s
            FROM triple t
            WHERE h.kind = 'object' AND t.tenant_id = %(tenant)s AND t.object_id = h.id AND t.superseded_at IS NULL
        ) e
        WHERE (e.memory_id IN (SELECT v.id FROM visible v)) IS TRUE
        LIMIT h.most
    ) r
), graph AS (
    SELECT w.memory_id, floor(1e9 * max(w.score) + 0.5) / 1e9 AS score
    FROM (
        SELECT r.memory_id,
               r.weight * CASE WHEN r.memory_id = r.first_seed THEN r.second ELSE r.first END
               / CASE WHEN r.kind = 'link' THEN 1 ELSE sqrt(greatest(r.fan, 1)) END AS score
        FROM reached r CROSS JOIN size s
        WHERE r.kind = 'link' OR r.fan <= least(%(graph_fan)s, greatest(0.2 * s.documents, %(graph_few)s))
    ) w
    WHERE w.score > 0
    GROUP BY w.memory_id
    ORDER BY score DESC, w.memory_id DESC
    LIMIT %(graph_depth)s
)
