"""The client of the cache that processes share."""

from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class _OneClient(RedisCacheClient):
    """Keep the client of each pool: Django makes one for each call, which takes as long as the call."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._clients: dict[int, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:  # noqa: ARG002 - no sharding
        """Return the client; several threads may use it."""
        pool: Any = self._get_connection_pool(write)  # type: ignore[attr-defined]
        client = self._clients.get(id(pool))
        if client is None:  # two threads may make one each: either serves
            client = self._clients[id(pool)] = self._client(connection_pool=pool)  # type: ignore[attr-defined]
        return client


class SharedCache(RedisCache):
    """Django's cache in a Valkey or Redis, with a client that is kept."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _OneClient
