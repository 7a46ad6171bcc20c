"""What the tests of the walls share: two tenants with rows everywhere, and the certainty of who asks."""

from collections.abc import Iterator

import pytest
from django.db import connections
from pytest_django import DjangoDbBlocker

from tenants.roles import APP_ROLE, OWNER_ALIAS, faults_of_login
from tests.conftest import empty_tables
from tests.isolation.world import World, make_world


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Make sure, before anything is tried in the test database, of who tries it."""
    with django_db_blocker.unblock():
        _be_the_service()


def _be_the_service() -> None:
    """End the run unless the service's own login is asked: a stronger one passes all and proves nothing."""
    with connections[OWNER_ALIAS].cursor() as cursor:
        # In a new database everybody may make temporary tables; `bootstrap_database` takes that back.
        name = connections[OWNER_ALIAS].ops.quote_name(connections[OWNER_ALIAS].settings_dict["NAME"])
        cursor.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT current_user, session_user")
        logins = set(cursor.fetchone())
        faults = faults_of_login(cursor, APP_ROLE, serves=True)
    connections["default"].close()
    if logins != {APP_ROLE} or faults:
        pytest.exit(
            f"The isolation tests must run as {APP_ROLE}, not as {logins}; its faults: {faults}.",
            returncode=3,
        )


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Two tenants with rows in every table, for all tests of a module: they leave them as they were."""
    with django_db_blocker.unblock():
        yield make_world()
        connections["default"].close()
        empty_tables()
        connections[OWNER_ALIAS].close()


@pytest.fixture
def asking(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Let the test ask the database; it must leave nothing in it."""
    with django_db_blocker.unblock():
        yield
        connections["default"].close()
        connections[OWNER_ALIAS].close()
