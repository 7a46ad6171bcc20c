"""
The embedded PostgreSQL and Valkey, for when DATABASE_URL or BROKER_URL is unset.

`ensure` starts or finds the servers of a home: they run under a keeper, live while a process that asked for
them lives, and end by themselves afterwards. `export_endpoints` puts their addresses into the environment.

CANDOR_HOME names the home, CANDOR_TMP where its sockets lie, CANDOR_UNUSED_SECONDS how long servers outlive
their last user.
"""

from config.embedded.errors import EmbeddedError
from config.embedded.servers import Endpoints, default_home, ensure, export_endpoints, home_in_use, stop

__all__ = ["EmbeddedError", "Endpoints", "default_home", "ensure", "export_endpoints", "home_in_use", "stop"]
