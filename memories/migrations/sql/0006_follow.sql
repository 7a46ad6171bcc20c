-- The vocabulary follows the postings, whoever writes them: a word comes with its first posting of a class and goes
-- with its last. The functions run as who writes, within that one's tenant and clearance. Two writers of one new word
-- wait for each other at its key, each taking keys in one order; the store lock keeps who drops a word's last posting
-- from who writes another one (`memories.standing`).
-- A subquery in place of a join: a tenant that is not in the statistics yet counts as one row, and a join with it may
-- read the whole table.
CREATE FUNCTION candor_learn_words() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO vocabulary (tenant_id, gram, term, size, classification)
    SELECT w.tenant_id, g.gram, w.term, cardinality(w.grams), w.classification
    FROM (
        SELECT p.tenant_id, p.term, p.classification, candor_grams(p.term) AS grams
        FROM (SELECT DISTINCT tenant_id, term, classification FROM written) p
        -- Most words are known, and looked up by their first gram: to cut them whole would take most of the time.
        WHERE CASE
            WHEN p.term < ':' THEN false  -- a figure or a tag
            WHEN p.term BETWEEN 'a' AND '{' THEN length(p.term) >= 4 AND
                (SELECT true FROM vocabulary v
                 WHERE v.tenant_id = p.tenant_id AND v.gram = '  ' || left(p.term, 1) AND v.term = p.term
                   AND v.classification = p.classification) IS NULL
            ELSE true
        END
    ) w
    CROSS JOIN unnest(w.grams) AS g (gram)
    ORDER BY 1, 2, 3, 5
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE FUNCTION candor_forget_word(tenant uuid, word text, class smallint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (SELECT true FROM posting p
        WHERE p.tenant_id = tenant AND p.term = word AND p.classification = class LIMIT 1) IS NULL THEN
        DELETE FROM vocabulary v
        WHERE v.tenant_id = tenant AND v.gram = ANY (candor_grams(word)) AND v.term = word
          AND v.classification = class;
    END IF;
END $$;

REVOKE ALL ON FUNCTION candor_forget_word FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_forget_word TO candor_app, candor_definer;

CREATE FUNCTION candor_forget_words() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM candor_forget_word(d.tenant_id, d.term, d.classification)
    FROM (SELECT DISTINCT tenant_id, term, classification FROM dropped ORDER BY 1, 2, 3) d;
    RETURN NULL;
END $$;

CREATE FUNCTION candor_class_word() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO vocabulary (tenant_id, gram, term, size, classification)
    SELECT NEW.tenant_id, g.gram, NEW.term, cardinality(candor_grams(NEW.term)), NEW.classification
    FROM unnest(candor_grams(NEW.term)) AS g (gram)
    ORDER BY 2
    ON CONFLICT DO NOTHING;
    PERFORM candor_forget_word(OLD.tenant_id, OLD.term, OLD.classification);
    RETURN NULL;
END $$;

CREATE TRIGGER posting_learn AFTER INSERT ON posting REFERENCING NEW TABLE AS written
FOR EACH STATEMENT EXECUTE FUNCTION candor_learn_words();
CREATE TRIGGER posting_forget AFTER DELETE ON posting REFERENCING OLD TABLE AS dropped
FOR EACH STATEMENT EXECUTE FUNCTION candor_forget_words();
CREATE TRIGGER posting_class AFTER UPDATE OF classification ON posting
FOR EACH ROW WHEN (OLD.classification <> NEW.classification) EXECUTE FUNCTION candor_class_word();
