-- Who may see a memory (SPEC T-07, S-04), in one place: recall, lists and the write track all call it. As the first
-- one, and what belongs to no project is seen by whom may (`sees_unfiled`): a person needs the right to it.
-- One SELECT of plain operators, so that the planner inlines it and reads its columns from the index.
CREATE FUNCTION candor_visible_v2(
    project_id uuid, owner_id uuid, shared boolean, domain text,
    valid_from timestamptz, valid_until timestamptz,
    my_projects uuid[], sees_unfiled boolean, me uuid, my_domains text[], sees_every_owner boolean, at timestamptz
) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT ((project_id IS NULL AND sees_unfiled) OR project_id = ANY (my_projects))
       AND (sees_every_owner OR owner_id IS NULL OR owner_id = me
            OR (shared AND (domain = '' OR domain = '*' OR domain = ANY (my_domains))))
       AND (valid_from IS NULL OR valid_from <= at)
       AND (valid_until IS NULL OR at < valid_until)
$$;
REVOKE ALL ON FUNCTION candor_visible_v2 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_visible_v2 TO candor_app;
