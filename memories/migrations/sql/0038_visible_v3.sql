-- Who may see a memory (SPEC T-07, S-04, K-09), in one place: recall, lists and the write track all call it. As the second
-- one, and what is a person's own is seen for that person, or from above (`sees_every_person`); person '' is common.
-- One SELECT of plain operators, so that the planner inlines it and reads its columns from the index.
CREATE FUNCTION candor_visible_v3(
    project_id uuid, owner_id uuid, shared boolean, domain text, person text,
    valid_from timestamptz, valid_until timestamptz,
    my_projects uuid[], sees_unfiled boolean, me uuid, my_domains text[], sees_every_owner boolean,
    my_person text, sees_every_person boolean, at timestamptz
) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT ((project_id IS NULL AND sees_unfiled) OR project_id = ANY (my_projects))
       AND (sees_every_owner OR owner_id IS NULL OR owner_id = me
            OR (shared AND (domain = '' OR domain = '*' OR domain = ANY (my_domains))))
       AND (person = '' OR person = my_person OR sees_every_person)
       AND (valid_from IS NULL OR valid_from <= at)
       AND (valid_until IS NULL OR at < valid_until)
$$;
REVOKE ALL ON FUNCTION candor_visible_v3 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_visible_v3 TO candor_app;
