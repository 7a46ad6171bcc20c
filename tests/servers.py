"""Start or find the embedded servers before Django reads its settings; a given DATABASE_URL is left alone."""

import os

from config.embedded import ensure, export_endpoints, home_in_use

if not os.environ.get("DATABASE_URL"):
    # Parallel workers inherit these, and could not ask for them: to them a database is given already.
    _endpoints = ensure()
    os.environ.setdefault("CANDOR_TEST_ADMIN_URL", _endpoints.admin_database_url)
    os.environ.setdefault("CANDOR_TEST_BACKUP_URL", _endpoints.backup_database_url)
    os.environ.setdefault("CANDOR_TEST_HOME", str(home_in_use()))
export_endpoints()

for _name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "CANDOR_LLM"):
    os.environ.pop(_name, None)  # a developer's own key would send the tests' words to a provider
