-- Vectors, postings and the collection's sizes. The keys carry the payload: a tenant's rows lie together
-- and are read from the index alone, which needs the visibility map, hence the eager autovacuum.
CREATE TABLE embedding (
    tenant_id uuid NOT NULL REFERENCES tenant (id) DEFERRABLE INITIALLY DEFERRED,
    space text COLLATE "C" NOT NULL,
    memory_id uuid NOT NULL,
    shelf smallint NOT NULL DEFAULT 0,
    classification smallint NOT NULL CHECK (classification BETWEEN 0 AND 3),
    vector halfvec NOT NULL,
    PRIMARY KEY (tenant_id, space, memory_id, shelf) INCLUDE (classification, vector),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memory (tenant_id, id) DEFERRABLE INITIALLY DEFERRED
) PARTITION BY LIST (shelf);

CREATE TABLE embedding_shelf_0 PARTITION OF embedding FOR VALUES IN (0)
    WITH (autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0);

CREATE TABLE posting (
    tenant_id uuid NOT NULL REFERENCES tenant (id) DEFERRABLE INITIALLY DEFERRED,
    term text COLLATE "C" NOT NULL,
    memory_id uuid NOT NULL,
    frequency smallint NOT NULL CHECK (frequency > 0),
    length integer NOT NULL CHECK (length > 0),
    classification smallint NOT NULL CHECK (classification BETWEEN 0 AND 3),
    live boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, term, memory_id) INCLUDE (frequency, length, classification, live),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memory (tenant_id, id) DEFERRABLE INITIALLY DEFERRED
) WITH (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);

CREATE TABLE collection_stat (
    tenant_id uuid NOT NULL REFERENCES tenant (id) DEFERRABLE INITIALLY DEFERRED,
    classification smallint NOT NULL CHECK (classification BETWEEN 0 AND 3),
    documents bigint NOT NULL DEFAULT 0,
    total_length bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, classification)
) WITH (fillfactor = 50);
