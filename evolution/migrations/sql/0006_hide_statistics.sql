-- Columns of which the planner's statistics may hold values: pg_statistic keeps the most common ones, and others as the
-- borders of a histogram, until the next ANALYZE finds none of them (SPEC S-05). Everything is hidden that is not of a type
-- without words, or in this list of columns whose values we choose, or that are secrets of nobody (names of sessions are not
-- searched when something is forgotten: docs/erasure.md). Columns of expressions in an index count too.
CREATE FUNCTION candor_spoken_columns() RETURNS TABLE (relation regclass, attribute name, place smallint, target integer)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT c.oid::regclass, a.attname, a.attnum, coalesce(a.attstattarget, -1)::integer
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
      AND (c.relkind IN ('r', 'p', 'm')
           OR (c.relkind = 'i'
               AND EXISTS (SELECT FROM pg_index i
                           WHERE i.indexrelid = c.oid AND i.indexprs IS NOT NULL AND i.indkey[a.attnum - 1] = 0)))
      AND a.atttypid <> ALL (ARRAY['uuid', 'timestamptz', 'timestamp', 'date', 'time', 'interval', 'bool', 'int2', 'int4',
                                   'int8', 'float4', 'float8', 'numeric']::regtype[])
      AND a.attname <> ALL (ARRAY['action', 'actor_kind', 'app', 'app_label', 'card', 'cardinality', 'cost', 'cycle', 'kind',
                                  'layer', 'model', 'object_type', 'origin', 'outcome', 'provenance', 'role', 'session',
                                  'space', 'state', 'tier', 'tier_reason', 'trigger', 'verdict'])
$$;
REVOKE ALL ON FUNCTION candor_spoken_columns() FROM PUBLIC;

-- Keep statistics of these columns no more, and clear those that are there; run again it changes nothing. Of a table that
-- comes later it is to be called again, by the migration or the command that makes it. From PostgreSQL 18 on the owner may
-- clear; before, what a column's type lets be rewritten in place is cleared by that (no row is touched), and the rest is
-- named: a superuser deletes it from pg_statistic.
CREATE FUNCTION candor_hide_statistics() RETURNS SETOF text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part record;
    may_clear boolean := to_regprocedure('pg_clear_attribute_stats(text,text,text,boolean)') IS NOT NULL;
BEGIN
    FOR part IN
        SELECT s.*, c.relkind, c.relname
        FROM candor_spoken_columns() s JOIN pg_class c ON c.oid = s.relation
        ORDER BY c.relname, s.place
    LOOP
        IF part.target <> 0 THEN
            IF part.relkind = 'i' THEN
                EXECUTE format('ALTER INDEX %s ALTER COLUMN %s SET STATISTICS 0', part.relation, part.place);
            ELSE
                EXECUTE format('ALTER TABLE ONLY %s ALTER COLUMN %I SET STATISTICS 0', part.relation, part.attribute);
            END IF;
        END IF;
        IF may_clear THEN
            EXECUTE 'SELECT pg_clear_attribute_stats(''public'', $1, $2, h) FROM unnest(ARRAY[false, true]) AS h'
            USING part.relname::text, part.attribute::text;
            CONTINUE;
        END IF;
        CONTINUE WHEN part.target = 0;
        BEGIN
            EXECUTE format('ALTER TABLE %s ALTER COLUMN %I TYPE %s', part.relation, part.attribute,
                           (SELECT format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
                            WHERE a.attrelid = part.relation AND a.attnum = part.place));
        EXCEPTION WHEN OTHERS THEN
            RAISE WARNING 'as a superuser: DELETE FROM pg_statistic WHERE starelid = ''%''::regclass AND staattnum = %',
                part.relation, part.place;
            RETURN NEXT part.relation || '.' || part.attribute;
        END;
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION candor_hide_statistics() FROM PUBLIC;
