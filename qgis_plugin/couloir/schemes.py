"""A classification scheme as the engine leaves it beside its maps (scheme.json): zones and the matrix, in words."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

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


@dataclass(frozen=True)
class Zone:
    """A zone of a map."""

    identity: str
    colour: str
    hatched: bool = False


@dataclass
class Scheme:
    zones: list[Zone] = field(default_factory=list)
    periods: list[float] = field(default_factory=list)
    #: A row per intensity, a column per return period and one for rarer events: identities of zones.
    matrix: list[list[str]] = field(default_factory=list)
    #: What the matrix writes beside its rows.
    limits: list[str] = field(default_factory=list)

    def zone(self, identity: str) -> Zone | None:
        return next((zone for zone in self.zones if zone.identity == identity), None)


def scheme_name(folder: str) -> str:
    return tr(SCHEMES.get(folder, folder))


def read(file: Path) -> Scheme:
    """The scheme; an empty one if the file is missing or not what it should be."""
    try:
        found = json.loads(file.read_text("utf-8"))
        starts = [row["from_kj"] for row in found["intensities"]]
        return Scheme(
            [Zone(zone["id"], zone["colour"], zone["hatched"]) for zone in found["zones"]],
            found["return_periods_years"],
            found["matrix"],
            [f"{tr(row['name'])}\n{_limits(starts, number)}".strip() for number, row in enumerate(found["intensities"])],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return Scheme()


def _limits(starts: list[float], number: int) -> str:
    low = starts[number]
    if number + 1 < len(starts):
        high = starts[number + 1]
        return f"< {high:g} kJ" if low == 0 else f"{low:g} – {high:g} kJ"
    return f"≥ {low:g} kJ" if low > 0 else ""
