-- What a term is made of, each once; nothing for one that nobody mistypes: a tag, a figure, a name with figures in it,
-- less than four letters, more than 32. A word gives its trigrams as pg_trgm cuts them (two blanks before, one behind;
-- accents dropped, so that «Muller» and «Müller» are made of the same), the one that begins it first; a bigram of an
-- unspaced script gives its first character and its last, each in its place.
-- A loop: the same as one SELECT took 20 times as long, and it runs for each new word that is written.
CREATE FUNCTION candor_grams(term text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    plain text := term;
    gram text;
    grams text[] := '{}';
BEGIN
    IF term ~ '[0-9]' OR starts_with(term, '#') THEN
        RETURN grams;
    END IF;
    IF term ~ '[^ -~]' THEN
        IF term ~ '^[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U0003ffff]' THEN
            RETURN CASE WHEN length(term) = 2 THEN ARRAY['^' || left(term, 1), right(term, 1) || '$'] ELSE grams END;
        END IF;
        plain := regexp_replace(normalize(term, NFKD), '[\u0300-\u036f]', '', 'g');
    END IF;
    IF length(plain) NOT BETWEEN 4 AND 32 THEN
        RETURN grams;
    END IF;
    plain := '  ' || plain || ' ';
    FOR place IN 1 .. length(plain) - 2 LOOP
        gram := substr(plain, place, 3);
        IF gram <> ALL (grams) THEN
            grams := grams || gram;
        END IF;
    END LOOP;
    RETURN grams;
END $$;

REVOKE ALL ON FUNCTION candor_grams FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_grams TO candor_app, candor_definer;
