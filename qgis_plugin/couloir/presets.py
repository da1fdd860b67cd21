"""Names the engine knows, for drop-down lists, with the numbers people want to see.

presets.json is what `couloir schema --presets` prints; the panel asks the engine in use for its own table (`adopt`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

GROUND_KEYS = ("mu_min", "mu_max", "beta_per_s", "kappa_per_m")
FOREST_KEYS = ("drag_kg_s", "height_m")
#: The rock most field tests were made with.
USUAL_SHAPE = "eota_221"

_tables: dict[str, Any] = json.loads((Path(__file__).parent / "presets.json").read_text("utf-8"))


def adopt(tables: dict[str, Any]) -> bool:
    """Takes the table of the engine in use; says whether it differs from the one known so far."""
    global _tables
    known = all(isinstance(tables.get(key), list) and tables[key] for key in _tables)
    if not known or tables == _tables:
        return False
    _tables = tables
    return True


def ground() -> list[dict[str, Any]]:
    """name, mu_min, mu_max, beta_per_s (1/s), kappa_per_m (1/m)."""
    return _tables["ground"]


def forest() -> list[dict[str, Any]]:
    """name, drag_kg_s, height_m."""
    return _tables["forest"]


def shapes() -> list[str]:
    return [shape["name"] for shape in _tables["shapes"]]


def schemes() -> list[str]:
    return [scheme["name"] for scheme in _tables["schemes"]]


def trajectory_formats() -> list[str]:
    return list(_tables["trajectory_formats"])


def ground_label(row: dict[str, Any]) -> str:
    return f"{row['name']} (μ {row['mu_min']:g}–{row['mu_max']:g}, β {row['beta_per_s']:g} 1/s, κ {row['kappa_per_m']:g} 1/m)"


def forest_label(row: dict[str, Any]) -> str:
    return f"{row['name']} ({row['drag_kg_s']:g} kg/s, {row['height_m']:g} m)" if row["drag_kg_s"] else str(row["name"])
