"""What is the same for all calls, said in the schema once it is made."""

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


def complete(result: Json, **_generator: Any) -> Json:
    """Add the headers of all calls and the answers that they lead to (`api/repeats.py`, `api/conditions.py`), the keys
    that bodies do not have, and what tells alternatives apart."""
    schemas: Json = result["components"]["schemas"]
    for discriminator in [one["discriminator"] for one in schemas.values() if "discriminator" in one]:
        for value, name in discriminator["mapping"].items():
            schemas[name.rpartition("/")[2]]["properties"][discriminator["propertyName"]]["enum"] = [value]
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
            if "requestBody" in operation:
                _close(operation["requestBody"], schemas)
    return result


def _close(part: Any, schemas: Json) -> None:
    """Say of all objects in a body that they have no other keys (`strict.py` refuses these)."""
    if isinstance(part, list):
        for one in part:
            _close(one, schemas)
    elif isinstance(part, dict):
        if "$ref" in part:
            _close(schemas[part["$ref"].rpartition("/")[2]], schemas)
        elif "properties" in part:
            part["additionalProperties"] = False
        for one in part.values():
            _close(one, schemas)
