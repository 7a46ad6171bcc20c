"""What settings a production must not have."""

import pytest

from config.settings.production import unsafe

SAFE = {"debug": False, "secret_key": "a1b2c3d4e5" * 5, "hosts": ["memory.example.org"]}


@pytest.mark.parametrize(
    ("changed", "faults"),
    [
        ({}, []),
        ({"debug": True}, ["CANDOR_DEBUG"]),
        ({"secret_key": "development-only-key-that-check-deploy-refuses"}, ["CANDOR_SECRET_KEY"]),
        ({"secret_key": "a" * 60}, ["CANDOR_SECRET_KEY"]),
        ({"hosts": ["memory.example.org", "*"]}, ["CANDOR_ALLOWED_HOSTS"]),
        ({"debug": True, "secret_key": "", "hosts": ["*"]},
         ["CANDOR_DEBUG", "CANDOR_SECRET_KEY", "CANDOR_ALLOWED_HOSTS"]),
    ],
)  # fmt: skip
def test_each_unsafe_setting_is_named(changed: dict[str, object], faults: list[str]) -> None:
    found = unsafe(**SAFE | changed)  # type: ignore[arg-type]

    assert [fault.split()[0] for fault in found] == faults
