-- What a forgotten memory leaves elsewhere, and its end (SPEC S-05).

-- find_referring --
-- Tables that refer to memories, by the catalogue, with the columns that do.
SELECT r.relname AS name, array_agg(a.attname::text ORDER BY a.attname) AS columns
FROM pg_constraint k
JOIN pg_class r ON r.oid = k.conrelid
JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey) AND a.attname <> 'tenant_id'
WHERE k.contype = 'f' AND k.confrelid = 'public.memory'::regclass AND k.conparentid = 0 AND k.conrelid <> k.confrelid
GROUP BY r.relname
ORDER BY r.relname;

-- find_lone_words --
-- Those of these terms that no other memory of the tenant has.
SELECT t.term FROM unnest(%(terms)s::text[]) AS t (term)
WHERE NOT EXISTS (SELECT FROM posting p
                  WHERE p.tenant_id = %(tenant)s AND p.term = t.term AND p.memory_id <> ALL (%(memories)s::uuid[]));

-- find_lone_names --
-- Names, in their one spelling, under which these memories speak of what no other memory speaks of.
SELECT DISTINCT k.name
FROM mention n CROSS JOIN LATERAL unnest(n.keys) AS k (name)
WHERE n.tenant_id = %(tenant)s AND n.memory_id = ANY (%(memories)s::uuid[])
  AND NOT EXISTS (SELECT FROM mention o
                  WHERE o.tenant_id = %(tenant)s AND o.entity_id = n.entity_id
                    AND o.memory_id <> ALL (%(memories)s::uuid[]))
ORDER BY k.name;

-- find_known_elsewhere --
-- Those of these texts that another memory has in its own, in any case; of a person's texts, one of theirs or a common one.
SELECT t.text FROM unnest(%(texts)s::text[]) AS t (text)
WHERE EXISTS (SELECT FROM memory m
              WHERE m.tenant_id = %(tenant)s AND m.id <> ALL (%(memories)s::uuid[])
                AND (%(person)s::text = '' OR m.person IN ('', %(person)s::text))
                AND strpos(lower(m.content), lower(t.text)) > 0);

-- find_captures --
-- Finished captures that these memories came of or were said again in; and, of the same person and no higher class, those that
-- say one of these texts word for word, or that came to nothing and have a word which no other memory has; where who
-- forgets may not forget everywhere, in the projects in which they may.
-- only: they made or confirmed these and no other.
SELECT c.id, c.document_id, c.text,
       jsonb_array_length(c.memory_ids) > 0
           AND NOT EXISTS (SELECT FROM jsonb_array_elements_text(c.memory_ids) AS m (id)
                           WHERE m.id <> ALL (%(memories)s::uuid[]::text[])) AS only
FROM capture c
WHERE c.tenant_id = %(tenant)s AND c.state NOT IN ('pending', 'processing') AND c.text <> %(marker)s
  AND (c.id = ANY (%(captures)s::uuid[])
       OR EXISTS (SELECT FROM jsonb_array_elements_text(c.memory_ids) AS m (id)
                  WHERE m.id = ANY (%(memories)s::uuid[]::text[]))
       OR (c.classification <= %(rank)s AND c.person = %(person)s
           AND (%(anywhere)s::boolean OR c.project_id = ANY (%(projects)s::uuid[])
                OR (c.project_id IS NULL AND %(unfiled)s::boolean))
           AND (EXISTS (SELECT FROM unnest(%(texts)s::text[]) AS t (text) WHERE strpos(lower(c.text), lower(t.text)) > 0)
                OR (c.state IN ('discarded', 'dead')
                    AND EXISTS (SELECT FROM unnest(%(words)s::text[]) AS w (word) WHERE strpos(lower(c.text), w.word) > 0)))))
ORDER BY c.created_at, c.id;

-- redact_captures --
-- Leave of these captures that something was said, and what else was made of it.
UPDATE capture c
SET text = %(marker)s, "references" = '[]', fingerprints = '[]', metadata = '{}', secrets_found = '[]',
    trace = %(trace)s::jsonb,
    memory_ids = (SELECT coalesce(jsonb_agg(m.id), '[]') FROM jsonb_array_elements_text(c.memory_ids) AS m (id)
                  WHERE m.id <> ALL (%(memories)s::uuid[]::text[]))
WHERE c.tenant_id = %(tenant)s AND c.id = ANY (%(captures)s::uuid[]);

-- find_queries --
-- Recalls that may have to be blanked, with all that was asked in them. named: they asked for one of these texts word for
-- word, or by a name that nothing else has. showed: they showed one of these memories. The others have the letters of a word
-- that no other memory has, perhaps as part of another word.
SELECT f.id, f.query, f.whole, f.named, f.showed
FROM (SELECT e.id, e.at, e.query, w.whole,
             EXISTS (SELECT FROM unnest(%(texts)s::text[] || %(names)s::text[]) AS t (text)
                     WHERE strpos(w.whole, lower(t.text)) > 0) AS named,
             EXISTS (SELECT FROM unnest(%(words)s::text[]) AS t (word) WHERE strpos(w.whole, t.word) > 0) AS lettered,
             EXISTS (SELECT FROM recalled_memory s
                     WHERE s.tenant_id = %(tenant)s AND s.recall_id = e.id
                       AND s.memory_id = ANY (%(memories)s::uuid[])) AS showed
      FROM recall_event e
      CROSS JOIN LATERAL (SELECT lower(concat_ws(' ', e.query, e.asked)) AS whole) w
      WHERE e.tenant_id = %(tenant)s AND e.query <> %(marker)s
        AND (%(person)s::text = '' OR e.person IN ('', %(person)s::text))) f
WHERE f.named OR f.lettered OR f.showed
ORDER BY f.at, f.id;

-- find_documents --
-- Documents, of the same person and of no higher class than what goes, that have in their names a word which no other memory has.
SELECT d.id
FROM document d
WHERE d.tenant_id = %(tenant)s AND d.classification <= %(rank)s AND d.person = %(person)s
  AND EXISTS (SELECT FROM unnest(%(words)s::text[]) AS w (word)
              WHERE strpos(lower(concat_ws(' ', d.title, d.source, d.file_name, d.summary, d.tags, d.metadata)), w.word) > 0)
ORDER BY d.id;

-- find_given --
-- Questions of frozen sets that tell one of these texts, or ask by a name or a word that nothing else has. What was really
-- asked stands in its recall only.
SELECT q.id
FROM shadow_question q
WHERE q.tenant_id = %(tenant)s AND q.event_id IS NULL AND q.question ->> 'query' <> %(marker)s
  AND EXISTS (SELECT FROM unnest(%(texts)s::text[] || %(names)s::text[] || %(words)s::text[]) AS t (text)
              WHERE strpos(lower(q.question ->> 'query'), lower(t.text)) > 0)
ORDER BY q.id;

-- blank_given --
UPDATE shadow_question q SET question = jsonb_set(q.question, '{query}', to_jsonb(%(marker)s::text))
WHERE q.tenant_id = %(tenant)s AND q.id = ANY (%(questions)s::uuid[]);

-- blank_queries --
SELECT candor_blank_queries_v2(%(events)s::uuid[]) AS blanked;

-- erase_memories --
-- End these memories with all that refers to them; answers with the rows that went, by table.
SELECT e.relation, e.gone FROM candor_erase_memories(%(memories)s::uuid[]) e;
