"""A project document in the panel's fields, what the user chose there (or in the toolbox) in a document, and its file.

A document may say more than the panel shows. What has no field stays word for word; a field whose values differ within the
document shows its default, and changing it sets all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from . import presets
from .errors import Unusable
from .export import each_feature
from .i18n import tr

SIZES = ("volume_m3", "mass_kg")
#: What tells one scenario from another.
OF_A_SCENARIO = ("name", "scenario", "frequency_per_year", *SIZES)
#: Field, where it stands in the document, and what it is when it stands nowhere.
PLACES: tuple[tuple[str, tuple[str, ...], Any], ...] = (
    ("title", ("title",), ""),
    ("seed", ("simulation", "seed"), 1),
    ("time_step", ("simulation", "time_step_s"), 0.002),
    ("points_every", ("outputs", "points_every_s"), 0.0),
    ("scheme", ("classification", "scheme"), None),
    ("roughness_height", ("ground", "roughness", "height_m"), 0.0),
    ("roughness_spacing", ("ground", "roughness", "spacing_m"), 0.5),
    ("soil_strength", ("ground", "scarring", "me_kn_m2"), 0.0),
    ("soil_drag", ("ground", "scarring", "drag_coefficient"), 0.0),
    ("author", ("study", "author"), ""),
    ("office", ("study", "office"), ""),
    ("client", ("study", "client"), ""),
    ("plan_number", ("study", "plan_number"), ""),
    ("status", ("study", "status"), "draft"),
)
#: Sections that mean nothing without this field.
NEEDED = {"roughness_height": ("ground", "roughness"), "soil_strength": ("ground", "scarring"), "scheme": ("classification",)}
#: The same in all rocks, in all releases.
OF_ROCKS = (("density", "density_kg_m3", 2700.0),)
OF_RELEASES = (("rocks_per_position", "rocks_per_position", 10), ("release_height", "height_m", 0.5),
               ("min_slope", "min_slope_deg", 0.0))  # fmt: skip
OF_BARRIERS = (("barrier_height", "height_m", 4.0), ("barrier_capacity", "capacity_kj", 1000.0))
Document = dict[str, Any]
#: Exports the layer of a field; None if there is none.
Export = Callable[[str], Optional[Path]]


@dataclass
class Shown:
    values: dict[str, Any] = field(default_factory=dict)
    #: Field → path and filter of its layer.
    files: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: Keys of the document that no field shows.
    kept: list[str] = field(default_factory=list)


def blank() -> Document:
    """A document to fill in."""
    return {
        "couloir": 1, "title": "", "terrain": {}, "rocks": [{"name": "rock"}], "release": [{"name": "release"}], "ground": {},
        "forest": {}, "simulation": {}, "outputs": {"trajectories": ["geopackage"]},
    }  # fmt: skip


def edited_numbers(values: dict[str, Any], table: str) -> dict[str, float] | None:
    """The numbers of a class, if they are no longer those of the preset."""
    row = presets.row(table, values[f"{table}_default"])
    numbers = {key: number for key, number in row.items() if key in values and _number(number)}
    same = all(abs(values[key] - number) < 1e-9 for key, number in numbers.items())
    return None if same else {**{k: v for k, v in row.items() if k != "name"}, **{key: float(values[key]) for key in numbers}}


# A quantity as people write it


def quantity(text: str) -> Any:
    """`0.5`, `0.2 – 2`, `0.1 – 5, power 1.2`, `median 1, sigma 0.5`, `0.1; 0.5; 2`, or the name of an attribute."""
    text = text.strip()
    number = r"([0-9.]+(?:[eE][-+]?\d+)?)"
    try:
        if re.fullmatch(number, text):
            return float(text)
        if ";" in text:
            return {"distribution": "list", "values": [float(part) for part in text.split(";") if part.strip()]}
        between = re.fullmatch(rf"{number}\s*(?:–|-|\.\.|to)\s*{number}(?:\s*,?\s*(?:power|\^)\s*{number})?", text)
        if between:
            low, high, power = float(between[1]), float(between[2]), between[3]
            limits = {"min": low, "max": high}
            return {"distribution": "power_law", "exponent": float(power), **limits} if power else {
                "distribution": "uniform", **limits
            }  # fmt: skip
        median = re.fullmatch(rf"median\s*{number}\s*,?\s*sigma\s*{number}", text)
        if median:
            return {"distribution": "log_normal", "median": float(median[1]), "sigma": float(median[2])}
    except ValueError:
        raise Unusable(tr("“{}” is neither a number, a range nor an attribute.").format(text)) from None
    return {"attribute": text}


def quantity_text(value: Any) -> str | None:
    """The same, backwards; None if it cannot be written so."""
    if _number(value):
        return f"{value:g}"
    keys = set(value) if isinstance(value, dict) else set()
    if keys == {"attribute"}:
        return str(value["attribute"])
    kind = value.get("distribution") if keys else ""
    if kind in ("uniform", "power_law") and keys <= {"distribution", "min", "max", "exponent"}:
        limits = f"{value['min']:g} – {value['max']:g}"
        return f"{limits}, power {value['exponent']:g}" if kind == "power_law" else limits
    if kind == "log_normal" and keys == {"distribution", "median", "sigma"}:
        return f"median {value['median']:g}, sigma {value['sigma']:g}"
    if kind == "list" and keys == {"distribution", "values"}:
        return "; ".join(f"{number:g}" for number in value["values"])
    return None


# From the document to the fields


def shown(document: Document) -> Shown:
    """The panel's values of a document; everything that is shown is taken out of a copy, the rest is kept."""
    rest = json.loads(json.dumps(document))
    rest.pop("couloir", None)
    found = Shown()
    values = found.values
    for name, place, default in PLACES:
        *path, key = place
        section = rest
        for part in path:
            section = section.get(part, {}) if isinstance(section, dict) else {}
        value = section.get(key) if isinstance(section, dict) else None
        fits = _number(value) if _number(default) else isinstance(value, str)
        if name == "scheme":
            fits = value in presets.names("schemes")
        values[name] = section.pop(key) if fits else default
    found.files["dem"] = (rest.get("terrain", {}).pop("dem", ""), "")
    _rocks(rest, found)
    for table, usual in (("ground", "medium"), ("forest", "none")):
        _classes(rest.get(table, {}), table, usual, found)
    for name, own in (("barriers", OF_BARRIERS), ("lines", ())):
        entries = rest.get(name, [])
        values.update({field: _common(entries, key, default, _number) for field, key, default in own})
        sources = [entry.get("source") for entry in entries]
        ours = all(_is_layer(s) and re.fullmatch(r"_fid = \d+", s.get("filter") or "") for s in sources)
        if sources and (len(sources) == 1 or ours) and _is_layer(sources[0]):
            found.files[name] = (sources[0]["file"], "" if ours else sources[0].get("filter") or "")
            for entry in entries:
                entry.pop("source")
                entry.pop("name", None)
    objects = rest.get("objects", [])
    if len(objects) == 1 and _is_layer(objects[0].get("source")):
        source = objects[0].pop("source")
        objects[0].pop("name", None)
        found.files["objects"] = (source["file"], source.get("filter") or "")
    found.kept = list(dict.fromkeys(_keys(rest)))
    return found


def _rocks(rest: Document, found: Shown) -> None:
    values, rocks, releases = found.values, rest.get("rocks", []), rest.get("release", [])
    shape = _common(rocks, "shape", presets.USUAL_SHAPE, lambda v: isinstance(v, str) or (isinstance(v, dict) and "file" in v))
    values["shape"] = shape if isinstance(shape, str) else presets.USUAL_SHAPE
    values["point_cloud"] = shape["file"] if isinstance(shape, dict) else None
    for tables, names in ((rocks, OF_ROCKS), (releases, OF_RELEASES)):
        values.update({name: _common(tables, key, default, _number) for name, key, default in names})
    _scenarios(rest, releases, values)
    values.update(size_key="volume_m3", size=1.0, size_attribute=None)
    holders = [key for key in SIZES if any(key in table for table in [*rocks, *releases])]
    for tables in (rocks, releases) if len(holders) == 1 else ():
        key = holders[0]
        if tables and all(key in table for table in tables):
            size = _common(tables, key, None, lambda v: _number(v) or (isinstance(v, dict) and list(v) == ["attribute"]))
            if isinstance(size, dict):
                values.update(size_key=key, size_attribute=size["attribute"])
            elif size is not None:
                values.update(size_key=key, size=size)
    known = {"grid_m": "spacing", "count": "positions", "min_slope_deg": "min_slope"}
    values.update(spacing=0.0, positions=0, frequency_attribute=None)
    placement = _common(releases, "placement", {}, lambda v: isinstance(v, dict) and set(v) <= set(known))
    values.update({known[key]: value for key, value in (placement or {}).items()})
    often = _common(releases, "frequency_per_year", None, lambda v: isinstance(v, dict) and list(v) == ["attribute"])
    values["frequency_attribute"] = often["attribute"] if often else None
    source = _common(releases, "source", None, _is_layer)
    if source:
        found.files["release"] = (source["file"], source.get("filter") or "")
    if len(rocks) == 1 and len(releases) == 1:
        for table in (*rocks, *releases):
            table.pop("name", None)


def _scenarios(rest: Document, releases: list[Document], values: dict[str, Any]) -> None:
    """A row for each release, if releases differ in nothing else and their sizes can be written in a line."""
    values["scenarios"] = []
    if not any(release.get("scenario") for release in releases):
        return
    alike = [{key: value for key, value in release.items() if key not in OF_A_SCENARIO} for release in releases]
    years = rest.get("classification", {}).get("scenario_return_periods_years", {})
    rows, key = [], next((key for key in SIZES if key in releases[0]), "volume_m3")
    for release in releases:
        size, often = (quantity_text(release[k]) if k in release else "" for k in (key, "frequency_per_year"))
        name = release.get("scenario") or ""
        if size is None or often is None or not name or any(k in release for k in SIZES if k != key):
            return
        rows.append({"name": name, "size": size, "years": f"{years[name]:g}" if name in years else "", "per_year": often})
    if any(other != alike[0] for other in alike) or len({row["name"] for row in rows}) < len(rows):
        return
    values.update(scenarios=rows, scenario_size=key)
    for release in releases:
        for k in OF_A_SCENARIO:
            release.pop(k, None)
    for row in rows:
        years.pop(row["name"], None)


def _classes(section: Document, name: str, usual: str, found: Shown) -> None:
    default = section.pop("default", None) or usual
    classes = section.get("classes", {})
    # `classes` may also be the name of a built-in table, which stays as it is.
    own = classes.pop(default, None) if isinstance(classes, dict) else None
    row = presets.row(name, default if own is None else usual)
    # Numbers of a class of one's own stand beside the usual preset, as if they had been edited here.
    found.values[f"{name}_default"] = row["name"]
    found.values.update({key: float(number) for key, number in (own or row).items() if _number(number)})
    found.values[f"{name}_attribute"] = None
    layers = section.get("layers", [])
    if len(layers) == 1 and _is_layer(layers[0].get("polygons")) and set(layers[0]) <= {"polygons", "attribute"}:
        source = layers[0]["polygons"]
        found.files[name] = (source["file"], source.get("filter") or "")
        found.values[f"{name}_attribute"] = layers[0].get("attribute", "class")
        section.pop("layers")


def _common(tables: list[Document], key: str, default: Any, fits: Callable[[Any], bool]) -> Any:
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


# From the fields to the document


def applied(document: Document, before: dict[str, Any], now: dict[str, Any], touched: set[str], export: Export) -> Document:
    """The document with what the user changed: fields that differ from `before`, and `touched` layers."""
    document = json.loads(json.dumps(document))
    changed = {name for name, value in now.items() if value != before.get(name)} | touched
    for name, place, default in PLACES:
        if name in changed:
            _put(document, place, now[name] if now[name] != default else None)
    for name, section in NEEDED.items():
        if name in changed and not now[name]:
            _put(document, section, None)
    rocks, releases = document.get("rocks", []), document.get("release", [])
    for tables, names in ((rocks, OF_ROCKS), (releases, OF_RELEASES)):
        for name, key, _default in names:
            if name in changed:
                _all(tables, key, now[name] or None)
    if changed & {"shape", "point_cloud"}:
        _all(rocks, "shape", {"file": now["point_cloud"]} if now.get("point_cloud") else now["shape"])
    if changed & {"size", "size_key", "size_attribute"}:
        for table in (*rocks, *releases):
            for key in (*SIZES, "axes_m"):
                table.pop(key, None)
        attribute = now.get("size_attribute")
        _all(releases if attribute else rocks, now["size_key"], {"attribute": attribute} if attribute else now["size"])
    if "frequency_attribute" in changed:
        often = now["frequency_attribute"]
        _all(releases, "frequency_per_year", {"attribute": often} if often else None)
    if changed & {"spacing", "positions"}:
        count, spacing = now.get("positions"), now["spacing"]
        _all(releases, "placement", {"count": count} if count else {"grid_m": spacing} if spacing else None)
    elif "min_slope" in changed and not now["min_slope"]:
        steep = [release for release in releases if "min_slope_deg" in (release.get("placement") or {})]
        _all(steep, "placement", None)
    if "release" in changed:
        _all(releases, "source", _source(export("release")))
    if changed & {"scenarios", "scenario_size"} and (now.get("scenarios") or before.get("scenarios")):
        _put_scenarios(document, now)
    _put_layers(document, changed, now, export)
    return document


def _put(document: Document, place: tuple[str, ...], value: Any) -> None:
    """Sets a value, or takes it out together with sections that are empty then."""
    *path, key = place
    sections = [document]
    for part in path:
        inner = sections[-1].get(part)
        if not isinstance(inner, dict):
            if value is None:
                return
            inner = sections[-1][part] = {}
        sections.append(inner)
    if value is not None:
        sections[-1][key] = value
        return
    sections[-1].pop(key, None)
    for outer, part, inner in zip(sections, path, sections[1:]):
        if not inner and part not in blank():
            outer.pop(part, None)


def _put_scenarios(document: Document, now: dict[str, Any]) -> None:
    base = {key: value for key, value in document["release"][0].items() if key not in OF_A_SCENARIO}
    releases, years = [], {}
    for number, row in enumerate(now["scenarios"], 1):
        name = row["name"].strip() or tr("Scenario {}").format(number)
        if name in years or any(release["name"] == name for release in releases):
            raise Unusable(tr("Two scenarios are called “{}”.").format(name))
        release = {"name": name, "scenario": name, **base}
        if row["size"].strip():
            release[now.get("scenario_size") or "volume_m3"] = quantity(row["size"])
        period = row["years"].strip()
        if period:
            try:
                years[name] = float(period)
            except ValueError:
                years[name] = 0.0
            if not years[name] > 0:
                raise Unusable(tr("The return period “{}” of “{}” is not a number of years.").format(period, name))
        if row["per_year"].strip():
            release["frequency_per_year"] = quantity(row["per_year"])
        elif period:
            # Each release area releases such a block once in the return period.
            release["frequency_per_year"] = 1.0 / years[name]
        releases.append(release)
    document["release"] = releases or [{"name": "release", **base}]
    if document.get("classification"):
        _put(document, ("classification", "scenario_return_periods_years"), years or None)


def _source(file: Path | None) -> Document | None:
    return {"file": file.as_posix()} if file is not None else None


def _put_layers(document: Document, changed: set[str], now: dict[str, Any], export: Export) -> None:
    if "dem" in changed:
        document["terrain"] = {"dem": (_source(export("dem")) or {"file": ""})["file"]}
    for name in ("ground", "forest"):
        section = document.get(name, {})
        if changed & {name, f"{name}_attribute"}:
            polygons = _source(export(name))
            section.pop("layers", None)
            if polygons:
                section["layers"] = [{"polygons": polygons, "attribute": now[f"{name}_attribute"]}]
        if changed & {f"{name}_default", *(key for key in presets.tables()[name][0] if key != "name")}:
            numbers = edited_numbers(now, name)
            section["default"] = "edited" if numbers else now[f"{name}_default"]
            if numbers:
                classes = section["classes"] if isinstance(section.get("classes"), dict) else {}
                if name == "ground":
                    # What the panel does not show stays as it is in the class: soil and roughness.
                    before = classes.get("edited") or presets.soil(now["ground_default"])
                    numbers |= {key: before[key] for key in ("scarring", "roughness") if before.get(key)}
                section["classes"] = {**classes, "edited": numbers}
        if section:
            document[name] = section
    if "objects" in changed:
        before, source = document.pop("objects", None) or [{}], _source(export("objects"))
        if source:
            document["objects"] = [{**before[0], "name": before[0].get("name") or tr("Objects"), "source": source}]
    for name, title in (("barriers", tr("Barrier")), ("lines", tr("Recording line"))):
        if name in changed:
            file = export(name)
            entry = {k: v for k, v in (document.pop(name, None) or [{}])[0].items() if k not in ("name", "source")}
            rows = each_feature(file) if file is not None else []
            # Each line has figures and pictures of its own.
            parts = [(label or (f"{title} {n}" if len(rows) > 1 else title), f) for n, (f, label) in enumerate(rows, 1)]
            if file is not None and (not parts or len({label for label, _ in parts}) < len(parts)):
                parts = [(f"{title} {n}", f) for n, (f, _) in enumerate(rows, 1)] or [(title, "")]
            made = [
                {"name": label, **entry, "source": {"file": file.as_posix(), **({"filter": f} if f else {})}}
                for label, f in parts
            ]
            if made:
                document[name] = made
    for name, key, _default in OF_BARRIERS:
        if changed & {name, "barriers"}:
            _all(document.get("barriers", []), key, now[name])


def _all(tables: list[Document], key: str, value: Any) -> None:
    for table in tables:
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value
