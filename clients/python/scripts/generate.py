"""
Generates schema.py, the types of the API, from gen/openapi/openapi.json, and the sync client from
the asyncio client. It needs Python alone. With --check it writes nothing and fails if a file is out
of date.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "clients/python/src/flipside"
SCALARS = {"boolean": "bool", "integer": "int", "number": "float", "string": "str"}

SYNC = [
    (r"import asyncio", "import time"),
    (r"asyncio\.sleep", "time.sleep"),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"Awaitable\[([\w.]+)\]", r"\1"),
    (r", Awaitable\b", ""),
    (r"AsyncGenerator\[(.+), None\]", r"Generator[\1, None, None]"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\ba(close|closing|read|iter_bytes)\b", r"\1"),
    (r"^\"\"\"The asyncio client.*\"\"\"\n", '"""The sync client."""\n'),
]


def main() -> None:
    files = {PACKAGE / "schema.py": "".join(schema())}
    for source in sorted((PACKAGE / "_async").glob("*.py")):
        files[PACKAGE / "_sync" / source.name] = sync(source)
    stale = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is out of date: run `make generate`")
        sys.exit(bool(stale))
    for path in stale:
        path.write_text(files[path])


def sync(source: Path) -> str:
    """Return the sync form of a file of the asyncio client."""
    text = source.read_text()
    for pattern, replacement in SYNC:
        text = re.sub(pattern, replacement, text)
    return f"# Generated from _async/{source.name} by `make generate`. Do not edit.\n{text}"


def schema() -> Iterator[str]:
    """Yield the parts of schema.py."""
    document = json.loads((ROOT / "gen/openapi/openapi.json").read_text())
    schemas = document["components"]["schemas"]
    yield "# Generated from gen/openapi/openapi.json by `make generate`. Do not edit.\n"
    yield '"""The types of the API: JSON objects as dictionaries, enums as strings."""\n\n'
    yield "from __future__ import annotations\n\n"
    yield "from typing import Literal, TypedDict\n\n"
    yield "from typing_extensions import NotRequired\n"
    enums = {name for name, s in schemas.items() if "enum" in s}
    for name in sorted(enums):
        values = "".join(f'    "{value}",\n' for value in schemas[name]["enum"])
        yield f"\n{name} = Literal[\n{values}]\n{doc(schemas[name], '')}"
    for name in sorted(schemas.keys() - enums):
        yield f"\n\nclass {name}(TypedDict):\n{doc(schemas[name])}"
        required = schemas[name].get("required", ())
        for field, value in schemas[name].get("properties", {}).items():
            if not field.isidentifier():
                continue  # "@type" of an error's detail, which a class cannot have
            kind = python_type(value)
            kind = f"NotRequired[{kind}]" if field not in required else kind
            yield f"\n    {field}: {kind}\n{doc(value)}"


def references(value: object) -> Iterator[str]:
    """Yield the names of the schemas that a part of the document refers to."""
    yield from re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(value))


def python_type(value: dict[str, Any]) -> str:
    """Return the annotation of a field."""
    if "$ref" in value:
        return next(references(value))
    if value["type"] == "array":
        return f"list[{python_type(value['items'])}]"
    if value["type"] == "object":
        return "dict[str, object]"
    return SCALARS[value["type"]]


def doc(value: dict[str, Any], indent: str = "    ") -> str:
    """Return the docstring of a schema."""
    text = value.get("description", "").replace("\\", "\\\\").replace('"""', "'''").strip()
    if not text:
        return ""
    end = "\n" if "\n" in text or text.endswith('"') else ""
    body = f'"""{end}{text}{end}"""'
    return "".join(f"{indent}{line}\n" if line else "\n" for line in body.split("\n"))


main()
