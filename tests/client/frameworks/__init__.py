"""The adapters of the client, each with its framework and nothing else of ours but the client."""
