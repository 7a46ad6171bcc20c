"""Migration operations that raise the walls, each in the migration that creates its table."""

from collections.abc import Sequence
from typing import Any

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import ForeignKey, Model

from tenants.rls.policies import (
    EDIT,
    clearance_policy,
    definer_own_policy,
    definer_policy,
    isolate_table,
    person_policy,
)
from tenants.roles import APP_ROLE, DEFINER_ROLE, OWNER_ALIAS


class OwnerOperation(Operation):
    """An operation that leaves Django's state as it is and speaks to the database as the owner only."""

    reduces_to_sql = True
    reversible = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change nothing in Django's view of the models."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002
        to_state: ProjectState,
    ) -> None:
        """Apply the operation."""
        _execute(schema_editor, self.forwards(app_label, to_state.apps))

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        """Take the operation back."""
        _execute(schema_editor, self.backwards(app_label, from_state.apps))

    def forwards(self, app_label: str, apps: Apps) -> list[str]:
        """Return the SQL that applies the operation."""
        raise NotImplementedError

    def backwards(self, app_label: str, apps: Apps) -> list[str]:
        """Return the SQL that takes it back."""
        raise NotImplementedError


def _execute(schema_editor: BaseDatabaseSchemaEditor, statements: Sequence[str]) -> None:
    if schema_editor.connection.alias != OWNER_ALIAS:
        return
    for statement in statements:
        schema_editor.execute(statement, params=None)


class TableOperation(OwnerOperation):
    """An operation on one model's table."""

    def __init__(self, model_name: str) -> None:
        self.model_name = model_name

    def forwards(self, app_label: str, apps: Apps) -> list[str]:
        """Return the SQL for the model's table."""
        return self.statements(apps.get_model(app_label, self.model_name))

    def backwards(self, app_label: str, apps: Apps) -> list[str]:
        """Return the SQL that takes it back."""
        return self.reverse(apps.get_model(app_label, self.model_name))

    def statements(self, model: type[Model]) -> list[str]:
        """Return the SQL that applies the operation."""
        raise NotImplementedError

    def reverse(self, model: type[Model]) -> list[str]:
        """Return the SQL that takes it back."""
        raise NotImplementedError


class TenantKey(TableOperation):
    """
    Make the table's key (tenant_id, id) and its references to tenants' rows composite and deferrable.

    `include` names further columns that the key's index carries, so that filters on them need no heap.
    """

    def __init__(self, model_name: str, *, include: Sequence[str] = ()) -> None:
        super().__init__(model_name)
        self.include = tuple(include)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return how the operation is written in a migration."""
        return type(self).__name__, [self.model_name], {"include": self.include} if self.include else {}

    def describe(self) -> str:
        """Say what the operation does."""
        return f"Lead the key of {self.model_name} with its tenant"

    def statements(self, model: type[Model]) -> list[str]:
        """Return the SQL that swaps the key and adds the references."""
        table, key = model._meta.db_table, model._meta.pk.column
        carried = f" INCLUDE ({', '.join(self.include)})" if self.include else ""
        swap = (
            f'ALTER TABLE "{table}" DROP CONSTRAINT "{table}_pkey", '
            f'ADD CONSTRAINT "{table}_pkey" PRIMARY KEY (tenant_id, {key}){carried}'
        )
        return [swap, *(_reference(table, field) for field in tenant_references(model))]

    def reverse(self, model: type[Model]) -> list[str]:
        """Return the SQL that puts the plain key back."""
        table, key = model._meta.db_table, model._meta.pk.column
        drops = [
            f'ALTER TABLE "{table}" DROP CONSTRAINT "{table}_{field.column}_tenant"'
            for field in tenant_references(model)
        ]
        swap = (
            f'ALTER TABLE "{table}" DROP CONSTRAINT "{table}_pkey", '
            f'ADD CONSTRAINT "{table}_pkey" PRIMARY KEY ({key})'
        )
        return [*drops, swap]


def _reference(table: str, field: "ForeignKey[Any, Any]") -> str:
    target = field.remote_field.model._meta
    return (
        f'ALTER TABLE "{table}" ADD CONSTRAINT "{table}_{field.column}_tenant" '
        f'FOREIGN KEY (tenant_id, {field.column}) REFERENCES "{target.db_table}" '
        f"(tenant_id, {target.pk.column}) DEFERRABLE INITIALLY DEFERRED"
    )


def tenant_references(model: type[Model]) -> "list[ForeignKey[Any, Any]]":
    """Return the model's references to other rows of a tenant, not the one to the tenant itself."""
    return [
        field
        for field in model._meta.local_fields
        if isinstance(field, ForeignKey)
        and field.name != "tenant"
        and any(f.name == "tenant" for f in field.remote_field.model._meta.local_fields)
    ]


class ReferWithTenant(TableOperation):
    """Make the reference of a column that was added later composite and deferrable, as `TenantKey` does."""

    def __init__(self, model_name: str, field_name: str) -> None:
        super().__init__(model_name)
        self.field_name = field_name

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return how the operation is written in a migration."""
        return type(self).__name__, [self.model_name, self.field_name], {}

    def describe(self) -> str:
        """Say what the operation does."""
        return f"Let {self.field_name} of {self.model_name} refer within its tenant"

    def statements(self, model: type[Model]) -> list[str]:
        """Return the SQL that adds the reference."""
        return [_reference(model._meta.db_table, self._field(model))]

    def reverse(self, model: type[Model]) -> list[str]:
        """Return the SQL that drops it."""
        table, column = model._meta.db_table, self._field(model).column
        return [f'ALTER TABLE "{table}" DROP CONSTRAINT "{table}_{column}_tenant"']

    def _field(self, model: type[Model]) -> "ForeignKey[Any, Any]":
        return next(field for field in tenant_references(model) if field.name == self.field_name)


class IsolateByTenant(TableOperation):
    """Wall the table off by tenant: forced row security, its policy, and the verbs the service may use."""

    def __init__(self, model_name: str, *, verbs: Sequence[str] = EDIT, column: str = "tenant_id") -> None:
        super().__init__(model_name)
        self.verbs = tuple(verbs)
        self.column = column

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return how the operation is written in a migration."""
        return type(self).__name__, [self.model_name], {"verbs": self.verbs, "column": self.column}

    def describe(self) -> str:
        """Say what the operation does."""
        return f"Isolate {self.model_name} by tenant"

    def statements(self, model: type[Model]) -> list[str]:
        """Return the SQL that raises the walls."""
        return isolate_table(model._meta.db_table, verbs=self.verbs, column=self.column)

    def reverse(self, model: type[Model]) -> list[str]:
        """Return the SQL that takes the walls down."""
        table = model._meta.db_table
        return [
            f'REVOKE ALL ON "{table}" FROM {APP_ROLE}',
            f'DROP POLICY candor_tenant ON "{table}"',
            f'ALTER TABLE "{table}" NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY',
        ]


class CapByClearance(TableOperation):
    """Hide rows above the reader's clearance, beside the tenant's wall and below every query."""

    def describe(self) -> str:
        """Say what the operation does."""
        return f"Cap {self.model_name} by clearance"

    def statements(self, model: type[Model]) -> list[str]:
        """Return the SQL that adds the restrictive policy."""
        return [clearance_policy(model._meta.db_table)]

    def reverse(self, model: type[Model]) -> list[str]:
        """Return the SQL that drops it."""
        return [f'DROP POLICY candor_clearance ON "{model._meta.db_table}"']


class IsolateByPerson(TableOperation):
    """Hide the rows of other persons than the one in force, beside the walls of tenant and class (K-09)."""

    def describe(self) -> str:
        """Say what the operation does."""
        return f"Isolate {self.model_name} by person"

    def statements(self, model: type[Model]) -> list[str]:
        """Return the SQL that adds the restrictive policy."""
        return [person_policy(model._meta.db_table)]

    def reverse(self, model: type[Model]) -> list[str]:
        """Return the SQL that drops it."""
        return [f'DROP POLICY candor_person ON "{model._meta.db_table}"']


class LetDefinerSee(TableOperation):
    """Give the definer's role its policy on the table."""

    def describe(self) -> str:
        """Say what the operation does."""
        return f"Let the definer's functions see {self.model_name}"

    def statements(self, model: type[Model]) -> list[str]:
        """Return the SQL that adds the policy."""
        return [definer_policy(model._meta.db_table)]

    def reverse(self, model: type[Model]) -> list[str]:
        """Return the SQL that drops it."""
        return [f'DROP POLICY candor_definer ON "{model._meta.db_table}"']


class LetDefinerHold(TableOperation):
    """Let the definer's functions see the table past clearance, within the tenant in force."""

    def describe(self) -> str:
        """Say what the operation does."""
        return f"Let the definer's functions hold {self.model_name} within its tenant"

    def statements(self, model: type[Model]) -> list[str]:
        """Return the SQL that adds the policy."""
        return [definer_own_policy(model._meta.db_table)]

    def reverse(self, model: type[Model]) -> list[str]:
        """Return the SQL that drops it."""
        return [f'DROP POLICY candor_definer_own ON "{model._meta.db_table}"']


class DefinerFunction(OwnerOperation):
    """
    Create one of the few functions that may look across tenants, owned by the role made for them.

    `signature` as PostgreSQL names it, `sql` its CREATE FUNCTION, `grants` what that role needs on tables
    (table → verbs). Each is also written down, with its reason, in `tenants.rls.audit.DEFINER_FUNCTIONS`.
    """

    def __init__(self, signature: str, sql: str, grants: dict[str, str]) -> None:
        self.signature = signature
        self.sql = sql
        self.grants = grants

    def describe(self) -> str:
        """Say what the operation does."""
        return f"Create the definer function {self.signature}"

    def forwards(self, app_label: str, apps: Apps) -> list[str]:  # noqa: ARG002
        """
        Return the SQL that creates the function, hands it to the definer, and lets only the service call it.

        A new owner needs CREATE on the schema for the moment of the hand-over.
        """
        return [
            self.sql,
            *(f'GRANT {verbs} ON "{table}" TO {DEFINER_ROLE}' for table, verbs in self.grants.items()),
            f"REVOKE ALL ON FUNCTION {self.signature} FROM PUBLIC",
            f"GRANT EXECUTE ON FUNCTION {self.signature} TO {APP_ROLE}",
            f"GRANT CREATE ON SCHEMA public TO {DEFINER_ROLE}",
            f"ALTER FUNCTION {self.signature} OWNER TO {DEFINER_ROLE}",
            f"REVOKE CREATE ON SCHEMA public FROM {DEFINER_ROLE}",
        ]

    def backwards(self, app_label: str, apps: Apps) -> list[str]:  # noqa: ARG002
        """Return the SQL that drops the function, which the schema's owner may, and its grants."""
        revokes = [f'REVOKE {verbs} ON "{table}" FROM {DEFINER_ROLE}' for table, verbs in self.grants.items()]
        return [f"DROP FUNCTION {self.signature}", *revokes]


def as_definer(*texts: str) -> list[str]:
    """
    Return the SQL that changes functions of the definer, for RunSQL: as their owner, who alone may.

    It needs CREATE on the schema for that moment. Migrations of before it write the same out.
    """
    return [
        f"GRANT CREATE ON SCHEMA public TO {DEFINER_ROLE}",
        f"SET ROLE {DEFINER_ROLE}",
        *texts,
        "RESET ROLE",
        f"REVOKE CREATE ON SCHEMA public FROM {DEFINER_ROLE}",
    ]
