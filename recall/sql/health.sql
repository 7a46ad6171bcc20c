-- count_documents --
-- How many live memories the viewer's tenant has, as far as the viewer is cleared.
SELECT coalesce(sum(s.documents), 0)::bigint AS documents FROM collection_stat s WHERE s.tenant_id = %(tenant)s;
