"""A classification scheme as the engine leaves it beside its maps (scheme.json), in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .i18n import noop, tr

SCHEMES = {"swiss": noop("Swiss scheme"), "austria": noop("Austrian scheme"), "norway": noop("Norwegian scheme")}


def scheme_name(folder: str) -> str:
    return tr(SCHEMES.get(folder, folder))


def read(file: Path) -> dict[str, Any]:
    """The scheme; an empty one if the file is missing or not what it should be."""
    try:
        found = json.loads(file.read_text("utf-8"))
        wanted = ("intensities", "zones", "return_periods_years", "matrix")
        return found if all(isinstance(found[key], list) for key in wanted) else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def limits(intensities: list[dict[str, Any]], number: int) -> str:
    """What the matrix writes beside a row."""
    low, name = intensities[number]["from_kj"], str(intensities[number]["name"])
    if number + 1 < len(intensities):
        high = intensities[number + 1]["from_kj"]
        return f"{name}\n< {high:g} kJ" if low == 0 else f"{name}\n{low:g} – {high:g} kJ"
    return f"{name}\n≥ {low:g} kJ" if low > 0 else name
