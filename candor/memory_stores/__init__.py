"""
Anthropic's Memory Stores, kept by Candor: their REST shape (`agent-memory-2026-07-22`) as a WSGI application.

    candor memory-stores --port 8020

    client = Anthropic(base_url="http://127.0.0.1:8020", api_key=CANDOR_KEY)
    store = client.beta.memory_stores.create(name="Notes")
    client.beta.memory_stores.memories.create(store.id, path="/rui.md", content="Rui eats no fish.")

It has no rights of its own: the key that a request brings is Candor's, and what it may see and write is the
service's to say. A memory of a store is a file (`candor.adapters.files`) under /memory_stores/ID: it passes
the gates, recall finds it, and each version stays. Needs nothing but the client.
"""

from candor.memory_stores.app import MemoryStores, serve

__all__ = ["MemoryStores", "serve"]
