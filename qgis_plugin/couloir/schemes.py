"""A classification scheme as the engine leaves it beside its maps (scheme.yaml): classes, colours, the matrix, in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from .i18n import noop, tr
from .map_tables import flattened

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
    """A class of a map; `value` is its number in the files."""

    value: int
    identity: str
    label: str
    colour: str
    hatched: bool = False


@dataclass
class Scheme:
    zones: list[Zone] = field(default_factory=list)
    intensities: list[Zone] = field(default_factory=list)
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
        rows = dict(flattened(file.read_text("utf-8")))
    except OSError:
        return Scheme()
    scheme = Scheme(periods=[float(v) for k, v in rows.items() if re.fullmatch(r"return_periods_years\[\d+\]", k)])
    starts: list[float] = []
    names: list[str] = []
    while f"intensities[{len(names)}].name" in rows:
        number = len(names)
        names.append(rows[f"intensities[{number}].name"])
        starts.append(float(rows.get(f"intensities[{number}].from_kj", 0)))
    for number, name in enumerate(names):
        limits = _limits(starts, number)
        label = f"{tr(name)} ({limits})" if limits else tr(name)
        colour = rows.get(f"intensities[{number}].colour", "#999999")
        scheme.intensities.append(Zone(number + 1, name, label, colour))
        scheme.limits.append(f"{tr(name)}\n{limits}" if limits else tr(name))
        scheme.matrix.append([])
        while (zone := rows.get(f"matrix[{number}][{len(scheme.matrix[-1])}]")) is not None:
            scheme.matrix[-1].append(zone)
    while f"zones[{len(scheme.zones)}].id" in rows:
        start = f"zones[{len(scheme.zones)}]"
        name, meaning = rows.get(f"{start}.name", ""), rows.get(f"{start}.meaning", "")
        label = tr(name) + (f" ({tr(meaning)})" if meaning and meaning != "null" else "")
        hatched = rows.get(f"{start}.hatched") == "true"
        colour = rows.get(f"{start}.colour", "#999999")
        scheme.zones.append(Zone(len(scheme.zones) + 1, rows[f"{start}.id"], label, colour, hatched))
    return scheme


def _limits(starts: list[float], number: int) -> str:
    low = starts[number]
    if number + 1 < len(starts):
        high = starts[number + 1]
        return f"< {high:g} kJ" if low == 0 else f"{low:g} – {high:g} kJ"
    return f"≥ {low:g} kJ" if low > 0 else ""
