-- The words of the postings by what they are made of, to find those that a mistyped one may mean. A word is there once
-- for each class that a posting with it has, so that nobody reads a word that stands only above them.
-- No foreign key: its rows follow the postings, which have one, and there are some seven for each new word.
CREATE TABLE vocabulary (
    tenant_id uuid NOT NULL,
    gram text COLLATE "C" NOT NULL,
    term text COLLATE "C" NOT NULL,
    size smallint NOT NULL CHECK (size > 0),
    classification smallint NOT NULL CHECK (classification BETWEEN 0 AND 3),
    PRIMARY KEY (tenant_id, gram, term, classification) INCLUDE (size)
) WITH (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
