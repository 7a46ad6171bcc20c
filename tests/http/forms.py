"""Bodies as each operation takes them: JSON, or a form for what takes a file."""

import json
from collections.abc import Mapping
from typing import Any, Final

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, encode_multipart

FORM: Final = f"multipart/form-data;boundary={BOUNDARY}"
FORMS: Final = frozenset({"upload_document"})
"""Operations that take a form; what is sent for `file` is the text of one."""


def body_of(name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the bytes and the media type of a body, as the test client takes them."""
    if name not in FORMS:
        return {"data": json.dumps(body), "content_type": "application/json"}
    file = {"file": SimpleUploadedFile("notes.txt", body["file"].encode())} if "file" in body else {}
    return {"data": encode_multipart(BOUNDARY, {**body, **file}), "content_type": FORM}
