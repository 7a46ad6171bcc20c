-- What a derived memory rests on (SPEC M-08). Rows are only ever added.
CREATE TABLE lineage (
    tenant_id uuid NOT NULL REFERENCES tenant (id) DEFERRABLE INITIALLY DEFERRED,
    child_id uuid NOT NULL,
    parent_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    classification smallint NOT NULL CHECK (classification BETWEEN 0 AND 3),
    PRIMARY KEY (tenant_id, child_id, parent_id),
    CONSTRAINT lineage_not_on_itself CHECK (child_id <> parent_id),
    FOREIGN KEY (tenant_id, child_id) REFERENCES memory (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (tenant_id, parent_id) REFERENCES memory (tenant_id, id) DEFERRABLE INITIALLY DEFERRED
);

CREATE INDEX lineage_parent ON lineage (tenant_id, parent_id, child_id);
