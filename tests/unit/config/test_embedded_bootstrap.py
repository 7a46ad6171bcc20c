"""The steps that prepare a PostgreSQL server, as text."""

from config.embedded import bootstrap


def limits(role: str, *, statement: str, lock: str, idle: str, transaction: str) -> list[str]:
    """Return the lines that set a login's time limits."""
    own = {"statement": statement, "lock": lock, "idle_in_transaction_session": idle}
    return [
        *(f'ALTER ROLE "{role}" SET "{name}_timeout" = \'{value}\';' for name, value in own.items()),
        f"SELECT 'ALTER ROLE \"{role}\" SET \"transaction_timeout\" = ''{transaction}''' WHERE NOT EXISTS "
        "(SELECT 1 WHERE current_setting('server_version_num')::integer < 170000) \\gexec",
    ]


def test_the_script_makes_what_production_needs_and_no_more() -> None:
    assert bootstrap.script(database="memory", template=None).splitlines() == [
        "-- As a superuser: psql -v candor_owner_password=… -v candor_app_password=… "
        "-v candor_backup_password=… -f FILE",
        r"\set ON_ERROR_STOP on",
        r"\set admin_database :DBNAME",
        *(
            f"SELECT 'CREATE ROLE \"{role}\" {ability}' "
            f"WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{role}') \\gexec"
            for role, ability in {
                "candor_owner": "LOGIN",
                "candor_app": "LOGIN",
                "candor_definer": "NOLOGIN NOINHERIT",
                "candor_backup": "LOGIN BYPASSRLS",
            }.items()
        ),
        "ALTER ROLE \"candor_owner\" PASSWORD :'candor_owner_password';",
        "ALTER ROLE \"candor_app\" PASSWORD :'candor_app_password';",
        "ALTER ROLE \"candor_backup\" PASSWORD :'candor_backup_password';",
        'GRANT "candor_definer" TO "candor_owner" WITH INHERIT FALSE, SET TRUE;',
        'GRANT pg_read_all_data TO "candor_backup";',
        *limits("candor_app", statement="30s", lock="5s", idle="60s", transaction="15min"),
        *limits("candor_owner", statement="0", lock="15s", idle="10min", transaction="0"),
        *limits("candor_backup", statement="0", lock="60s", idle="10min", transaction="0"),
        *(
            f"SELECT 'ALTER ROLE \"{role}\" SET \"{setting}\" = ''{value}''' "
            "WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = current_user AND NOT rolsuper) \\gexec"
            for role in ("candor_owner", "candor_app", "candor_backup")
            for setting, value in {"log_min_error_statement": "panic", "log_error_verbosity": "terse"}.items()
        ),
        "SELECT 'GRANT \"candor_owner\" TO CURRENT_USER' "
        "WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = current_user AND rolsuper) \\gexec",
        "SELECT 'CREATE DATABASE \"memory\" OWNER \"candor_owner\" ENCODING ''UTF8'' TEMPLATE template0' "
        "WHERE NOT EXISTS (SELECT 1 FROM pg_database WHERE datname = 'memory') \\gexec",
        'REVOKE ALL ON DATABASE "memory" FROM PUBLIC;',
        'GRANT CONNECT ON DATABASE "memory" TO "candor_app", "candor_backup";',
        r'\connect "memory"',
        'CREATE EXTENSION IF NOT EXISTS "vector";',
        'ALTER EXTENSION "vector" UPDATE;',
        'CREATE EXTENSION IF NOT EXISTS "pg_trgm";',
        'ALTER EXTENSION "pg_trgm" UPDATE;',
        'ALTER SCHEMA public OWNER TO "candor_owner";',
        "REVOKE ALL ON SCHEMA public FROM PUBLIC;",
        'GRANT USAGE ON SCHEMA public TO "candor_app", "candor_definer";',
    ]


def test_only_a_server_for_tests_lets_the_owner_clone() -> None:
    extra = set(bootstrap.script(database="candor", template="blank").splitlines()) - set(
        bootstrap.script(database="candor", template=None).splitlines()
    )

    assert extra == {
        'ALTER ROLE "candor_owner" CREATEDB;',
        "SELECT 'CREATE DATABASE \"blank\" OWNER \"candor_owner\" ENCODING ''UTF8'' TEMPLATE template0' "
        "WHERE NOT EXISTS (SELECT 1 FROM pg_database WHERE datname = 'blank') \\gexec",
        'ALTER DATABASE "blank" ALLOW_CONNECTIONS true;',
        r"\connect :admin_database",
        r'\connect "blank"',
        'ALTER DATABASE "blank" ALLOW_CONNECTIONS false;',
    }


def test_a_name_is_quoted_as_an_identifier_and_as_text() -> None:
    script = bootstrap.script(database="o'b\"c", template=None)

    assert r'\connect "o' in script
    assert 'GRANT CONNECT ON DATABASE "o\'b""c" TO' in script
    assert "WHERE datname = 'o''b\"c'" in script
