"""What was archived before archived rows left search leaves it with the migration."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from memories import migrations
from memories.curation.archive import archive_memory
from tenants.scope import tenant_scope
from tests.factories import make_tenant
from tests.integration.memories.writing import FAKE, NOW, ask, assert_whole, person, write

FILL = Path(str(migrations.__file__)).parent / "sql" / "0013_leave_search.sql"


@pytest.mark.spec("M-13", "R-07")
def test_rows_that_were_archived_before_leave_search_and_its_sizes(database: None, settings: Any) -> None:
    settings.EMBEDDERS = FAKE
    ada = person(make_tenant("ada"))
    old = write(ada, "Rollbacks of Fridays are slow because a lock is held on the ledger.").memory.id
    new = write(ada, "The certificate of the gateway expired because nobody renewed it.").memory.id
    write(ada, "Print shops bill twice for a cancelled order, since the queue keeps a copy.")
    with tenant_scope(ada):
        archive_memory(new, now=NOW)
    ask(ada, "UPDATE memory SET archived_at = now() WHERE id = %(id)s", id=old)  # as it was done before
    with pytest.raises(AssertionError):
        assert_whole(ada)

    for _ in range(2):  # the second time it changes nothing
        with connections["owner"].cursor() as cursor:
            cursor.execute(FILL.read_text())

    assert_whole(ada)
