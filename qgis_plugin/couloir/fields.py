"""Everything a run can be given, in one table (fields.json): the panel makes its pages of it, the toolbox its parameters."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import presets
from .i18n import noop, tr


@dataclass(frozen=True)
class Field:
    name: str
    #: raster, any, line, polygon (layers), attribute, numeric (`of` a layer), number, whole, choice, text, file, folder.
    kind: str
    #: site, rocks, ground or run.
    page: str
    label: str
    tip: str
    #: Name in the toolbox; empty: not there.
    key: str = ""
    default: Any = None
    least: float = 0.0
    most: float = 1e9
    unit: str = ""
    decimals: int = 2
    of: str = ""
    #: Behind the fold of the page, an advanced parameter of the toolbox.
    expert: bool = False
    #: A table of the engine, or `sizes`, `statuses`.
    choices: str = ""

    def entries(self) -> list[tuple[str, Any]]:
        """Texts and values of a choice."""
        if self.choices == "sizes":
            return [(tr(noop("volume (m³)")), "volume_m3"), (tr(noop("mass (kg)")), "mass_kg")]
        if self.choices == "statuses":
            return [(tr(noop("draft")), "draft"), (tr(noop("final")), "final")]
        if self.choices == "schemes":
            return [(tr(noop("none")), None), *((s.get("title", s["name"]), s["name"]) for s in presets.tables()["schemes"])]
        return [(name.replace("_", " "), name) for name in presets.names(self.choices)]


FIELDS = tuple(Field(**row) for row in json.loads((Path(__file__).parent / "fields.json").read_text("utf-8")))
BY_NAME = {field.name: field for field in FIELDS}


def ignored(values: dict[str, Any], points: bool) -> set[str]:
    """Fields that count for nothing with these values; `points`: the release layer has points."""
    scenarios = bool(values.get("scenarios"))
    sized = scenarios and all(row["size"].strip() for row in values["scenarios"])
    rules = {
        ("shape",): values["point_cloud"],
        ("size",): values["size_attribute"] or sized,
        ("size_attribute", "frequency_attribute"): scenarios,
        ("barrier_height", "barrier_capacity"): not values["barriers"],
        ("spacing",): values["positions"] or points,
        ("positions",): points,
        ("ground_attribute",): not values["ground"],
        ("forest_attribute",): not values["forest"],
        ("height_m",): not values["drag_kg_s"],
        ("roughness_spacing",): not values["roughness_height"],
        ("soil_drag",): not values["soil_strength"],
    }
    return {name for names, off in rules.items() if off for name in names}
