-- Hold everything that rests on these memories to them, level by level, over any depth: trust at most theirs,
-- class at least theirs, the weakest origin. It ends, for a row is only ever lowered and nothing rests on itself.
-- Each level is a statement of its own, so that it sees what others committed while it waited for a row.
-- A state whose new class has a current truth already steps back as a contender rather than stop the raise.
CREATE FUNCTION candor_hold_descendants(tenant uuid, roots uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    frontier uuid[] := roots;
    changed uuid[];
    raised uuid[] := '{}';
    bound record;
BEGIN
    WHILE cardinality(frontier) > 0 LOOP
        changed := '{}';
        FOR bound IN
            SELECT c.id, min(p.trust) AS trust, max(p.classification) AS class,
                   (array_agg(p.provenance ORDER BY candor_weight(p.provenance), p.id))[1] AS provenance,
                   max(p.classification) > c.classification AS rises
            FROM lineage l
            JOIN memory c ON c.tenant_id = tenant AND c.id = l.child_id
            JOIN memory p ON p.tenant_id = tenant AND p.id = l.parent_id
            WHERE l.tenant_id = tenant AND l.parent_id = ANY (frontier)
            GROUP BY c.tenant_id, c.id
            HAVING min(p.trust) < c.trust OR max(p.classification) > c.classification
                OR min(candor_weight(p.provenance)) < candor_weight(c.provenance)
            ORDER BY c.id
        LOOP
            BEGIN
                UPDATE memory m SET trust = least(m.trust, bound.trust),
                    classification = greatest(m.classification, bound.class),
                    provenance = CASE WHEN candor_weight(bound.provenance) < candor_weight(m.provenance)
                                      THEN bound.provenance ELSE m.provenance END
                WHERE m.tenant_id = tenant AND m.id = bound.id;
            EXCEPTION WHEN unique_violation THEN
                UPDATE memory m SET trust = least(m.trust, bound.trust), standing = 1,
                    classification = greatest(m.classification, bound.class),
                    provenance = CASE WHEN candor_weight(bound.provenance) < candor_weight(m.provenance)
                                      THEN bound.provenance ELSE m.provenance END
                WHERE m.tenant_id = tenant AND m.id = bound.id;
            END;
            changed := changed || bound.id;
            IF bound.rises THEN
                raised := raised || bound.id;
            END IF;
        END LOOP;
        frontier := changed;
    END LOOP;
    PERFORM candor_raise_beside(tenant, raised);
END $$;
REVOKE ALL ON FUNCTION candor_hold_descendants(uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_hold_descendants(uuid, uuid[]) TO candor_definer;
