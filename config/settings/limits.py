"""How much one request may ask for (SPEC S-07). Beyond it the answer is a problem, never a cut."""

from config.settings.environment import number, text

#: Bytes of a request's body.
DATA_UPLOAD_MAX_MEMORY_SIZE = number("CANDOR_MAX_BODY_BYTES", 1_048_576, least=1_024, most=104_857_600)
#: Characters of one captured text or memory.
MAX_TEXT_LENGTH = number("CANDOR_MAX_TEXT_LENGTH", 20_000, least=100, most=1_000_000)
#: Characters of one document; its body has to fit, too.
MAX_DOCUMENT_LENGTH = number("CANDOR_MAX_DOCUMENT_LENGTH", 500_000, least=1_000, most=50_000_000)
#: Bytes of one file that is uploaded as a document; what else its form says comes on top.
MAX_UPLOAD_BYTES = number("CANDOR_MAX_UPLOAD_BYTES", 20_971_520, least=1_024, most=104_857_600)
#: Characters of such a file's text: of some 700 pages.
MAX_FILE_TEXT_LENGTH = number("CANDOR_MAX_FILE_TEXT_LENGTH", 2_000_000, least=1_000, most=50_000_000)
#: Characters of a recall's question.
MAX_QUERY_LENGTH = number("CANDOR_MAX_QUERY_LENGTH", 2_000, least=10, most=20_000)
#: Memories one recall may return.
MAX_K = number("CANDOR_MAX_K", 50, least=1, most=500)
#: How much a context says of how to treat it, unless the request says another (docs/context.md).
CONTEXT_GUARD = text("CANDOR_CONTEXT_GUARD", "brief")
if CONTEXT_GUARD not in ("none", "brief", "full"):
    raise ValueError(f"CANDOR_CONTEXT_GUARD must be none, brief or full; it is {CONTEXT_GUARD!r}")
#: Seconds `?wait=` may hold a request open.
MAX_WAIT_SECONDS = number("CANDOR_MAX_WAIT_SECONDS", 30, least=0, most=300)
#: Levels a JSON body may be nested.
MAX_JSON_DEPTH = 20
#: Requests a minute of one key, and of all of a tenant together, counted in the shared cache (SPEC S-02).
KEY_REQUESTS_PER_MINUTE = number("CANDOR_KEY_REQUESTS_PER_MINUTE", 6_000, least=1, most=10_000_000)
TENANT_REQUESTS_PER_MINUTE = number("CANDOR_TENANT_REQUESTS_PER_MINUTE", 60_000, least=1, most=10_000_000)
#: Bytes a minute of what bodies have beyond their first 2 000 bytes, of one key and of all of a tenant: of
#: requests that are worked on at once (recall, context, dry runs, direct writes) …
KEY_LONG_BYTES_PER_MINUTE = number("CANDOR_KEY_LONG_BYTES_PER_MINUTE", 500_000, least=1, most=10**12)
TENANT_LONG_BYTES_PER_MINUTE = number("CANDOR_TENANT_LONG_BYTES_PER_MINUTE", 5_000_000, least=1, most=10**12)
#: … and of captures and documents, which are kept at once and worked on later.
KEY_INGEST_BYTES_PER_MINUTE = number("CANDOR_KEY_INGEST_BYTES_PER_MINUTE", 10_000_000, least=1, most=10**12)
_TENANT_INGEST = number("CANDOR_TENANT_INGEST_BYTES_PER_MINUTE", 100_000_000, least=1, most=10**12)
TENANT_INGEST_BYTES_PER_MINUTE = _TENANT_INGEST
#: Keys a minute that look right and are not in force, from one address, in each process.
WRONG_KEYS_PER_MINUTE = number("CANDOR_WRONG_KEYS_PER_MINUTE", 600, least=1, most=10_000_000)
#: Wrong passwords a quarter of an hour of one account's name, and from one address, in all processes.
WRONG_PASSWORDS_PER_NAME = number("CANDOR_WRONG_PASSWORDS_PER_NAME", 10, least=1, most=10_000)
WRONG_PASSWORDS_PER_ADDRESS = number("CANDOR_WRONG_PASSWORDS_PER_ADDRESS", 100, least=1, most=1_000_000)
#: Bytes that are to be free where the service keeps its files; below it `health/ready` says `degraded`.
LEAST_FREE_BYTES = number("CANDOR_LEAST_FREE_BYTES", 268_435_456, least=0, most=1_099_511_627_776)
