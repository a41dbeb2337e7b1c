"""Headers that calls have in common, in the schema."""

from __future__ import annotations

from typing import Any

from annotator.web.repeats import MAX_KEY

Json = dict[str, Any]

_KEY: Json = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY},
    "description": "The same call with the same key takes effect once, and gets the first answer again for a day.",
}
_SEEN: Json = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string"},
    "description": "The ETag of an earlier answer: 304 without a body if it is still the same.",
}
_ERROR: Json = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorAnswer"}}}


def with_headers(result: Json, **_generator: Any) -> Json:
    """Add the headers, and the answers that they lead to (`api/repeats.py`, `api/conditions.py`)."""
    for operations in result["paths"].values():
        for method, operation in operations.items():
            responses: Json = operation["responses"]
            if method == "post" and operation["operationId"] != "token":
                operation.setdefault("parameters", []).append(_KEY)
                responses.setdefault("400", {"content": _ERROR, "description": "The key is not valid."})
                responses.setdefault("409", {"content": _ERROR, "description": "The first call with the key runs."})
                responses["422"] = {"content": _ERROR, "description": "The key was used for another call."}
            if method == "get" and "application/json" in responses.get("200", {}).get("content", {}):
                operation.setdefault("parameters", []).append(_SEEN)
                responses["304"] = {"description": "Not changed."}
    return result
