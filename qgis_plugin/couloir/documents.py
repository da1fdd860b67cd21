"""A project document in the panel's fields, and what the user chose or changed there (or in the toolbox) in a document.

A document may say more than the panel shows (several rocks, scenarios, distributions …). What has no field stays word for
word; a field whose values differ within the document shows its default, and changing it sets all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from . import presets

SIZES = ("volume_m3", "mass_kg")
#: Exports the layer of a field; None if there is none.
Export = Callable[[str], Optional[Path]]


@dataclass
class Shown:
    values: dict[str, Any] = field(default_factory=dict)
    #: Field → path and filter of its layer.
    files: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: Keys of the document that no field shows.
    kept: list[str] = field(default_factory=list)


def blank() -> dict[str, Any]:
    """A document to fill in."""
    return {
        "couloir": 1, "title": "", "terrain": {}, "rocks": [{"name": "rock"}], "release": [{"name": "release"}], "ground": {},
        "forest": {}, "simulation": {}, "outputs": {"trajectories": ["geopackage"]},
    }  # fmt: skip


def edited_numbers(values: dict[str, Any], table: list[dict[str, Any]], choice: str) -> dict[str, float] | None:
    """The numbers, if they are no longer those of the preset."""
    row = row_of(table, values[choice])
    presets_numbers = {key: number for key, number in row.items() if key in values}
    same = all(abs(values[key] - number) < 1e-9 for key, number in presets_numbers.items())
    return None if same else {key: float(values[key]) for key in presets_numbers}


def row_of(table: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next((row for row in table if row["name"] == name), table[0])


def shown(document: dict[str, Any]) -> Shown:
    """The panel's values of a document; everything that is shown is taken out of a copy, the rest is kept."""
    rest = json.loads(json.dumps(document))
    rest.pop("couloir", None)
    found = Shown()
    values = found.values
    values["title"] = rest.pop("title", "")
    values["seed"] = rest.get("simulation", {}).pop("seed", 1)
    values["points_every"] = rest.get("outputs", {}).pop("points_every_s", None) or 0.0
    values["scheme"] = None
    if rest.get("classification", {}).get("scheme") in presets.schemes():
        values["scheme"] = rest["classification"].pop("scheme")
    found.files["dem"] = (rest.get("terrain", {}).pop("dem", ""), "")
    _rocks(rest, found)
    for name, table, choice in (
        ("ground", presets.ground(), "ground_default"),
        ("forest", presets.forest(), "forest_default"),
    ):
        _classes(rest.get(name, {}), name, table, choice, found)
    _lines(rest, found)
    found.kept = list(dict.fromkeys(_keys(rest)))
    return found


def _rocks(rest: dict[str, Any], found: Shown) -> None:
    values, rocks, releases = found.values, rest.get("rocks", []), rest.get("release", [])
    shape = _common(rocks, "shape", presets.USUAL_SHAPE, lambda v: isinstance(v, str) or (isinstance(v, dict) and "file" in v))
    values["shape"] = shape if isinstance(shape, str) else presets.USUAL_SHAPE
    values["point_cloud"] = shape["file"] if isinstance(shape, dict) else None
    values["density"] = _common(rocks, "density_kg_m3", 2700.0, _number)
    values.update(size_key="volume_m3", size=1.0, size_attribute=None)
    holders = [key for key in SIZES if any(key in table for table in [*rocks, *releases])]
    if len(holders) == 1:
        key = holders[0]
        for tables in (rocks, releases):
            if tables and all(key in table for table in tables):
                size = _common(tables, key, None, lambda v: _number(v) or (isinstance(v, dict) and list(v) == ["attribute"]))
                if isinstance(size, dict):
                    values.update(size_key=key, size_attribute=size["attribute"])
                elif size is not None:
                    values.update(size_key=key, size=size)
    values["rocks_per_position"] = _common(releases, "rocks_per_position", 10, _number)
    values["release_height"] = _common(releases, "height_m", 0.5, _number)
    values.update(spacing=0.0, min_slope=0.0, frequency_attribute=None)
    placement = _common(
        releases, "placement", {}, lambda v: isinstance(v, dict) and set(v) <= {"grid_m", "min_slope_deg"}
    ) or {}  # fmt: skip
    values["spacing"], values["min_slope"] = placement.get("grid_m", 0.0), placement.get("min_slope_deg", 0.0)
    often = _common(releases, "frequency_per_year", None, lambda v: isinstance(v, dict) and list(v) == ["attribute"])
    values["frequency_attribute"] = often["attribute"] if often else None
    source = _common(releases, "source", None, _is_layer)
    if source:
        found.files["release"] = (source["file"], source.get("filter") or "")
    if len(releases) == 1 and len(rocks) == 1:
        for table in (*rocks, *releases):
            table.pop("name", None)


def _classes(section: dict[str, Any], name: str, table: list[dict[str, Any]], choice: str, found: Shown) -> None:
    usual = "medium" if name == "ground" else "none"
    default = section.pop("default", None) or usual
    row = next((row for row in table if row["name"] == default), None)
    own = section.get("classes", {}).pop(default, None)
    # Numbers of a class of one's own stand beside the usual preset, as if they had been edited here.
    found.values[choice] = row["name"] if row else usual
    numbers = own or row or next(row for row in table if row["name"] == usual)
    found.values.update({key: float(number) for key, number in numbers.items() if key != "name"})
    found.values[f"{name}_attribute"] = None
    layers = section.get("layers", [])
    if len(layers) == 1 and _is_layer(layers[0].get("polygons")) and set(layers[0]) <= {"polygons", "attribute"}:
        source = layers[0]["polygons"]
        found.files[name] = (source["file"], source.get("filter") or "")
        found.values[f"{name}_attribute"] = layers[0].get("attribute", "class")
        section.pop("layers")


def _lines(rest: dict[str, Any], found: Shown) -> None:
    barriers = rest.get("barriers", [])
    found.values["barrier_height"] = _common(barriers, "height_m", 4.0, _number)
    found.values["barrier_capacity"] = _common(barriers, "capacity_kj", 1000.0, _number)
    for name in ("barriers", "lines"):
        entries = rest.get(name, [])
        if len(entries) == 1 and _is_layer(entries[0].get("source")):
            source = entries[0].pop("source")
            entries[0].pop("name", None)
            found.files[name] = (source["file"], source.get("filter") or "")


def _common(tables: list[dict[str, Any]], key: str, default: Any, fits: Callable[[Any], bool]) -> Any:
    """The value all tables share, taken out of them; else the default, and they keep theirs."""
    found = [table.get(key, default) for table in tables]
    if not found or any(value != found[0] for value in found) or not (found[0] == default or fits(found[0])):
        return default
    for table in tables:
        table.pop(key, None)
    return found[0]


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_layer(source: Any) -> bool:
    return isinstance(source, dict) and isinstance(source.get("file"), str) and set(source) <= {"file", "filter"}


def _keys(value: Any, path: str = "") -> list[str]:
    if isinstance(value, dict) and "." not in path:
        return [key for name, item in value.items() for key in _keys(item, f"{path}.{name}" if path else name)]
    if isinstance(value, list):
        return [key for item in value for key in (_keys(item, path) if isinstance(item, dict) else [path])]
    return [] if value in (None, {}, []) else [path]


def applied(
    document: dict[str, Any], before: dict[str, Any], now: dict[str, Any], touched: set[str], export: Export
) -> dict[str, Any]:
    """The document with what the user changed: fields that differ from `before`, and `touched` layers."""
    document = json.loads(json.dumps(document))
    changed = {name for name, value in now.items() if value != before.get(name)} | touched

    def set_in(section: str, key: str, value: Any) -> None:
        document.setdefault(section, {})[key] = value

    rocks, releases = document.get("rocks", []), document.get("release", [])
    for name, put in (
        ("title", lambda v: document.update(title=v)),
        ("seed", lambda v: set_in("simulation", "seed", v)),
        ("points_every", lambda v: _all([document.setdefault("outputs", {})], "points_every_s", v or None)),
        ("density", lambda v: _all(rocks, "density_kg_m3", v)),
        ("rocks_per_position", lambda v: _all(releases, "rocks_per_position", v)),
        ("release_height", lambda v: _all(releases, "height_m", v)),
        ("frequency_attribute", lambda v: _all(releases, "frequency_per_year", {"attribute": v} if v else None)),
        ("scheme", lambda v: set_in("classification", "scheme", v) if v else document.pop("classification", None)),
    ):
        if name in changed:
            put(now[name])
    if changed & {"shape", "point_cloud"}:
        cloud = now.get("point_cloud")
        _all(rocks, "shape", {"file": cloud} if cloud else now["shape"])
    if changed & {"size", "size_key", "size_attribute"}:
        for table in (*rocks, *releases):
            for key in (*SIZES, "axes_m"):
                table.pop(key, None)
        attribute = now.get("size_attribute")
        _all(releases if attribute else rocks, now["size_key"], {"attribute": attribute} if attribute else now["size"])
    if changed & {"spacing", "min_slope"}:
        steep, spacing = now["min_slope"], now["spacing"]
        _all(releases, "placement", {"min_slope_deg": steep} if steep else {"grid_m": spacing} if spacing else None)
    _apply_layers(document, changed, now, export)
    for name, table in (("ground", presets.ground()), ("forest", presets.forest())):
        keys = {key for row in table[:1] for key in row if key != "name"}
        if changed & {f"{name}_default", *keys}:
            numbers = edited_numbers(now, table, f"{name}_default")
            set_in(name, "default", "edited" if numbers else now[f"{name}_default"])
            if numbers:
                document[name].setdefault("classes", {})["edited"] = numbers
    return document


def _apply_layers(document: dict[str, Any], changed: set[str], now: dict[str, Any], export: Export) -> None:
    def source(name: str) -> dict[str, Any] | None:
        file = export(name)
        return {"file": file.as_posix()} if file is not None else None

    if "dem" in changed:
        dem = export("dem")
        document["terrain"] = {"dem": dem.as_posix() if dem else ""}
    if "release" in changed:
        _all(document.get("release", []), "source", source("release"))
    for name in ("ground", "forest"):
        if changed & {name, f"{name}_attribute"}:
            polygons, section = source(name), document.setdefault(name, {})
            section.pop("layers", None)
            if polygons:
                section["layers"] = [{"polygons": polygons, "attribute": now[f"{name}_attribute"]}]
    for name, title in (("barriers", "barrier"), ("lines", "line")):
        if name in changed:
            layer = source(name)
            entry = (document.get(name) or [{"name": title}])[0]
            document.pop(name, None)
            if layer:
                document[name] = [{**entry, "source": layer}]
    for key, setting in (("height_m", "barrier_height"), ("capacity_kj", "barrier_capacity")):
        if changed & {setting, "barriers"}:
            _all(document.get("barriers", []), key, now[setting])


def _all(tables: list[dict[str, Any]], key: str, value: Any) -> None:
    for table in tables:
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value
