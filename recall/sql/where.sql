-- Conditions on memory m by which a question narrows what is looked through, one for each axis (SPEC M-03).

-- cards --
m.card = ANY (%(where_cards)s::text[])

-- provenances --
m.provenance = ANY (%(where_provenances)s::text[])

-- classification --
m.classification = %(where_classification)s::smallint

-- agent_id --
m.agent_id = %(where_agent_id)s::uuid

-- shared --
m.shared = %(where_shared)s::boolean

-- domain --
m.domain = %(where_domain)s::text

-- person --
m.person = %(where_person)s::text

-- layer --
m.layer = %(where_layer)s::text

-- session --
m.session = %(where_session)s::text

-- speaker --
m.speaker = %(where_speaker)s::text

-- capture_id --
m.capture_id = %(where_capture_id)s::uuid

-- document_id --
m.document_id = %(where_document_id)s::uuid

-- concept_key --
m.concept_key = %(where_concept_key)s::text

-- entity_key --
m.entity_key = %(where_entity_key)s::text

-- value --
m.value = %(where_value)s::text

-- cardinality --
m.cardinality = %(where_cardinality)s::text

-- entities --
m.entities @> %(where_entities)s::text[]

-- metadata --
m.metadata @> %(where_metadata)s::jsonb

-- trust_from --
m.trust >= %(where_trust_from)s::float8

-- trust_to --
m.trust <= %(where_trust_to)s::float8

-- importance_from --
m.importance >= %(where_importance_from)s::smallint

-- created_from --
m.created_at >= %(where_created_from)s::timestamptz

-- created_to --
m.created_at < %(where_created_to)s::timestamptz

-- occurred_from --
m.occurred_at >= %(where_occurred_from)s::timestamptz

-- occurred_to --
m.occurred_at < %(where_occurred_to)s::timestamptz

-- effective_from --
m.effective_at >= %(where_effective_from)s::timestamptz

-- effective_to --
m.effective_at < %(where_effective_to)s::timestamptz

-- verified_before --
m.last_verified_at < %(where_verified_before)s::timestamptz

-- linked_to --
-- One that the viewer may not see leads to nothing: else an id would tell what it is linked with.
EXISTS (SELECT FROM link l JOIN memory o ON o.tenant_id = l.tenant_id AND o.id = %(where_linked_to)s::uuid
        WHERE l.tenant_id = m.tenant_id
          AND ((l.source_id = m.id AND l.target_id = o.id) OR (l.target_id = m.id AND l.source_id = o.id))
          AND candor_visible_v3(o.project_id, o.agent_id, o.shared, o.domain, o.person, NULL, NULL,
                %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[],
                %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz))
