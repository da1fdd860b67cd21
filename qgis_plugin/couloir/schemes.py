"""A classification scheme as the engine leaves it beside its maps (scheme.json), in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .i18n import noop, tr

SCHEMES = {"swiss": noop("Swiss scheme"), "austria": noop("Austrian scheme"), "norway": noop("Norwegian scheme")}
#: Words of the built-in schemes; those of a scheme of the user's own are shown as they are.
WORDS = (
    noop("considerable hazard"), noop("moderate hazard"), noop("low hazard"), noop("residual hazard"),
    noop("no new buildings"), noop("building under conditions"), noop("notice area"), noop("rarer than 300 years"),
    noop("red zone"), noop("yellow zone"), noop("rarer than the design event"), noop("no permanent settlement"),
    noop("rarer than 150 years"), noop("weak"), noop("medium"), noop("strong"), noop("low"), noop("high"), noop("any rock"),
    noop("more than 1/100 per year"), noop("1/100 to 1/1000 per year"), noop("1/1000 to 1/5000 per year"),
    noop("safety class S3 not allowed"), noop("safety classes S2 and S3 not allowed"), noop("no safety class allowed"),
)  # fmt: skip


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
    low, name = intensities[number]["from_kj"], tr(intensities[number]["name"])
    if number + 1 < len(intensities):
        high = intensities[number + 1]["from_kj"]
        return f"{name}\n< {high:g} kJ" if low == 0 else f"{name}\n{low:g} – {high:g} kJ"
    return f"{name}\n≥ {low:g} kJ" if low > 0 else name
