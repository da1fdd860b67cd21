"""A small YAML writer for project documents: plain dictionaries, lists and scalars."""

from __future__ import annotations

import json
import re
from typing import Any

#: Keys that YAML reads as text without quotes.
PLAIN_KEY = re.compile(r"(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z_][A-Za-z0-9_]*", re.IGNORECASE)


def to_yaml(document: dict[str, Any]) -> str:
    return "".join(f"{line}\n" for line in _lines(document))


def _lines(value: dict[str, Any] | list[Any]) -> list[str]:
    """Block style; lists of scalars, GeoJSON and anything empty on one line (JSON is YAML)."""
    lines: list[str] = []
    if isinstance(value, dict):
        for key, item in value.items():
            name = key if PLAIN_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
            if key == "geojson" or not _is_block(item):
                lines.append(f"{name}: {json.dumps(item, ensure_ascii=False)}")
            else:
                lines += [f"{name}:", *(f"  {line}" for line in _lines(item))]
    else:
        for item in value:
            if _is_block(item):
                first, *rest = _lines(item)
                lines += [f"- {first}", *(f"  {line}" for line in rest)]
            else:
                lines.append(f"- {json.dumps(item, ensure_ascii=False)}")
    return lines


def _is_block(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, (list, tuple)) and any(isinstance(item, dict) for item in value)
