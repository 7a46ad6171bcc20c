"""
The client of Candor, the memory service for AI agents.

    from candor import Candor

    with Candor("http://127.0.0.1:8000", key) as memory:
        memory.capture("I live in Porto.", "user", person="rui", wait=10)
        print(memory.context("Where does Rui live?", person="rui").text)
"""

from candor.client import AsyncCandor, Candor, NotConfigured
from candor.errors import (
    BadRequest,
    CandorError,
    Changed,
    Conflict,
    ConnectionFailed,
    FieldError,
    Forbidden,
    InvalidArguments,
    NotFound,
    NotModified,
    Problem,
    Refused,
    ServerFault,
    TooManyRequests,
    Unauthenticated,
    Unavailable,
    UnexpectedAnswer,
    WaitTimedOut,
)
from candor.file import File
from candor.fingerprints import file_fingerprint, flag_fingerprint, git_fingerprint
from candor.procedures import Sent, Why
from candor.version import __version__
from candor.wire.call import NOT_GIVEN
from candor.wire.sending import Retries

__all__ = [
    "NOT_GIVEN",
    "AsyncCandor",
    "BadRequest",
    "Candor",
    "CandorError",
    "Changed",
    "Conflict",
    "ConnectionFailed",
    "FieldError",
    "File",
    "Forbidden",
    "InvalidArguments",
    "NotConfigured",
    "NotFound",
    "NotModified",
    "Problem",
    "Refused",
    "Retries",
    "Sent",
    "ServerFault",
    "TooManyRequests",
    "Unauthenticated",
    "Unavailable",
    "UnexpectedAnswer",
    "WaitTimedOut",
    "Why",
    "__version__",
    "file_fingerprint",
    "flag_fingerprint",
    "git_fingerprint",
]
