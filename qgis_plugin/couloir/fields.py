"""Everything a run and the tools can be given, in tables: the panel makes its pages of fields.json, the toolbox its parameters
of fields.json and tools.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import presets
from .i18n import tr

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Field:
    #: raster, any, line, polygon … (see `algorithms/parameters.py` for all).
    kind: str
    label: str = ""
    tip: str = ""
    #: Name in the toolbox; empty: not there.
    key: str = ""
    #: Name and page (site, rocks, ground or run) in the panel.
    name: str = ""
    page: str = ""
    default: Any = None
    least: float = 0.0
    most: float | None = None
    unit: str = ""
    decimals: int = 2
    #: The layer whose attribute it is.
    of: str = ""
    required: bool = False
    #: Behind the fold of the page, an advanced parameter of the toolbox.
    expert: bool = False
    #: Texts and values, or the name of a table of the engine.
    choices: Any = ()
    #: Files to choose from.
    filter: str = ""
    #: Of the engine.
    option: str = ""

    def entries(self) -> list[tuple[str, Any]]:
        """Texts and values of a choice."""
        if not isinstance(self.choices, str):
            return [(tr(text), value) for text, value in self.choices]
        rows = [row if isinstance(row, dict) else {"name": row} for row in presets.tables()[self.choices]]
        found = [(row.get("title") or row["name"].replace("_", " "), row["name"]) for row in rows]
        # A tool that classifies needs a scheme; a run may do without.
        return [(tr("none"), None), *found] if self.name == "scheme" else found


def _fields(rows: list[dict[str, Any]]) -> tuple[Field, ...]:
    return tuple(Field(**row) for row in rows)


FIELDS = _fields(json.loads((HERE / "fields.json").read_text("utf-8")))
BY_NAME = {field.name: field for field in FIELDS}
#: Title, help and parameters of each tool.
TOOLS = {tool["id"]: tool for tool in json.loads((HERE / "tools.json").read_text("utf-8"))}


def of_tool(name: str) -> list[Field]:
    """The parameters of a tool; `run` has those of the panel as well."""
    own = _fields(TOOLS[name]["parameters"])
    panel = [field for field in FIELDS if field.key]
    return [field for one in own for field in (panel if one.kind == "fields" else [one])]


def ignored(values: dict[str, Any], points: bool) -> set[str]:
    """Fields that count for nothing with these values; `points`: the release layer has points."""
    scenarios = bool(values.get("scenarios"))
    sized = scenarios and all(row["size"].strip() for row in values["scenarios"])
    rules = {
        ("shape",): values["point_cloud"],
        ("size",): values["size_attribute"] or sized,
        ("size_attribute", "frequency_attribute"): scenarios,
        ("barrier_height_m", "barrier_capacity_kj"): not values["barriers"],
        ("spacing_m",): values["positions"] or points,
        ("positions",): points,
        ("ground_attribute",): not values["ground"],
        ("forest_attribute",): not values["forest"],
        ("height_m",): not values["drag_kg_s"],
        ("roughness_spacing_m",): not values["roughness_height_m"],
        ("soil_drag_coefficient",): not values["soil_me_kn_m2"],
    }
    return {name for names, off in rules.items() if off for name in names}
