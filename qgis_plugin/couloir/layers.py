"""The files of a run as styled layers, one by one. What is in the layer tree, and where, is decided in `results`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from qgis import core
from qgis.core import QgsMapLayer, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtGui import QColor

from . import schemes
from .i18n import noop, tr

#: Suffixes of layer names, as people say them.
STATISTICS = {
    "mean": noop("mean"),
    "p50": noop("median"),
    "p90": noop("90th percentile"),
    "p95": noop("95th percentile"),
    "p99": noop("99th percentile"),
    "max": noop("maximum"),
}
UNITS = {"_kj": "kJ", "_ms": "m/s", "_m": "m", "_rps": noop("rev/s"), "_deg": "°"}
#: By the beginning of the layer's name, in the order of the layer tree.
TITLES = {
    "kinetic_energy": noop("Kinetic energy"),
    "velocity": noop("Velocity"),
    "jump_height": noop("Jump height"),
    "rotation": noop("Rotation"),
    "reach_probability_local": noop("Reach probability from the feeding source cells"),
    "reach_probability": noop("Reach probability"),
    "frequency_above": noop("How often rocks pass above {} kJ"),
    "energy_line_angle": noop("Energy-line angle"),
    "passages": noop("Passages"),
    "deposits": noop("Deposits"),
    "source_cells": noop("Source cells"),
    "sample_size_warning": noop("Too few rocks for quantiles"),
}
#: Names that the panel and the toolbox give to lines.
GENERIC = {"line": noop("Recording line"), "barrier": noop("Barrier")}
#: Shown when a run is loaded and no zones are; the others are one click away.
FIRST = "kinetic_energy_kj_p95"


@dataclass(frozen=True)
class Item:
    """A layer to be: its place in the tree, how to make it, whether it is shown at first."""

    groups: tuple[str, ...]
    make: Callable[[], QgsMapLayer]
    shown: bool = False


def title_of(name: str) -> str:
    """`kinetic_energy_kj_p95` → “Kinetic energy, 95th percentile (kJ)”."""
    stem, statistic = name, ""
    for bound, words in (("_lower", noop("lower bound")), ("_upper", noop("upper bound"))):
        if stem.endswith(bound):
            stem, statistic = stem[: -len(bound)], f", {tr(words)}"
    for suffix, words in STATISTICS.items():
        if stem.endswith(f"_{suffix}"):
            stem, statistic = stem[: -len(suffix) - 1], f", {tr(words)}{statistic}"
    if stem.startswith("frequency_above_"):
        energy = stem[len("frequency_above_") :].replace("_kj", "").replace("_", ".")
        return tr(TITLES["frequency_above"]).format(energy)
    unit = ""
    for suffix, symbol in UNITS.items():
        if stem.endswith(suffix):
            stem, unit = stem[: -len(suffix)], f" ({tr(symbol)})"
            break
    words = next((title for start, title in TITLES.items() if stem.startswith(start)), stem.replace("_", " "))
    return tr(words) + statistic + unit


def order(name: str) -> tuple[int, str]:
    """Layers of one quantity stand together, in the order of `TITLES`."""
    return next((i for i, start in enumerate(TITLES) if name.startswith(start)), len(TITLES)), name


def ordered_schemes(folder: Path, first: str) -> list[str]:
    """The schemes a run was classified with: the one the project asks for, then the built-in ones, then others."""
    names = [place.name for place in (folder / "classification").glob("*/")]
    known = list(schemes.SCHEMES)
    return sorted(names, key=lambda name: (name != first, known.index(name) if name in known else len(known), name))


def contents(
    folder: Path, lines: dict[str, str], scheme: str, scenarios: list[str], colours: dict[str, str] | None = None
) -> Iterator[Item]:
    """Everything a run folder (or one of its variants) holds, from top to bottom.

    `lines` are the sources of recorded lines, `scheme` the one whose zones are shown at first.
    """
    found = [folder / "classification" / name for name in ordered_schemes(folder, scheme)]
    zones = [file for place in found if (file := place / "hazard.gpkg").is_file()]
    yield from _line_items(folder, lines)
    for stem, make in (("deposits", deposits), ("trajectory_points", rocks_on_their_way), ("trajectories", trajectories)):
        file = _track_file(folder, stem)
        if file is not None:
            yield Item((), lambda file=file, make=make: make(file), stem == "deposits")
    for number, file in enumerate(zones):
        yield Item((), lambda file=file: zone_polygons(file), number == 0)
    yield from scenario_items(folder, found, scenarios, colours or {})
    maps = tr("Maps")
    for place in found:
        if (place / "hazard.tif").is_file():
            yield Item((maps,), lambda file=place / "hazard.tif": zone_raster(file))
    for file in sorted((folder / "layers").glob("*.tif"), key=lambda file: order(file.stem)):
        # Zones and energy over one another would blur both.
        yield Item((maps,), lambda file=file: raster(file), file.stem == FIRST and not zones)


def scenario_items(folder: Path, found: list[Path], scenarios: list[str], colours: dict[str, str] | None) -> Iterator[Item]:
    """Intensity maps, and (with colours to draw them) the tracks of each scenario if there are several; a group for each."""
    names = sorted({file.stem[len("intensity_") :] for place in found for file in place.glob("intensity_*.tif")}, key=_counting)
    known = {stem: name for place in found for stem, name in scenario_names(place).items()}
    called = {name: known.get(name) or next((s for s in scenarios if _plain(s) == _plain(name)), name) for name in names}
    for name in names:
        group = (tr("All rocks") if name == "all" else tr("Scenario {}").format(called[name]),)
        for scheme in found:
            for suffix, make in ((".gpkg", zone_polygons), (".tif", zone_raster)):
                file = scheme / f"intensity_{name}{suffix}"
                if file.is_file():
                    yield Item(group, lambda file=file, make=make: make(file))
        if colours is not None and len(names) > 1:
            for stem, make in (("deposits", deposits), ("trajectories", trajectories)):
                track = _track_file(folder, stem)
                if track is not None:
                    yield Item(
                        group, lambda file=track, make=make, name=name: make(file, called[name], colours.get(called[name], ""))
                    )


def scenario_names(place: Path) -> dict[str, str]:
    """What scenarios are called, by what they are called in names of files; of the run a folder lies in."""
    manifest = next((above / "manifest.json" for above in place.parents if (above / "manifest.json").is_file()), None)
    try:
        scenarios = json.loads(manifest.read_text("utf-8"))["scenarios"] if manifest else []
    except (OSError, ValueError, KeyError):
        return {}
    return {str(s["file_name"]): str(s.get("name", "")) for s in scenarios if s.get("file_name")}


def _plain(name: str) -> str:
    """Files of older runs are named after scenarios, with other characters replaced."""
    return re.sub(r"[\W_]+", "_", name).lower()


def _track_file(folder: Path, stem: str) -> Path | None:
    files = (folder / "trajectories" / f"{stem}{ending}" for ending in (".gpkg", ".fgb", ".shp"))
    return next((file for file in files if file.is_file()), None)


def _counting(name: str) -> list[tuple[int, str]]:
    """30 before 100."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def _line_items(folder: Path, lines: dict[str, str]) -> Iterator[Item]:
    place = folder / "lines"
    pictures = histograms(place)
    for name, source in lines.items():
        if name in pictures:
            yield Item((), lambda name=name, source=source: recorded_line(source, name, pictures[name]), True)
    crossings = place / "crossings.gpkg"
    if crossings.is_file():
        yield Item((), lambda: crossing_points(crossings))


def histograms(place: Path) -> dict[str, Path]:
    """The picture of each recorded line, by the line's name."""
    try:
        sheets = json.loads((place / "dimensioning.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    names = [str(sheet.get("line", "")) for sheet in sheets]
    found = {name: next(iter(sorted(place.glob(f"{number:02}_*.svg"))), None) for number, name in enumerate(names, 1)}
    return {name: picture for name, picture in found.items() if picture is not None}


def _dress(layer: QgsMapLayer) -> None:
    """The engine's style beside the file, in the language of the run."""
    qml = Path(layer.source().split("|")[0]).with_suffix(".qml")
    if qml.is_file():
        layer.loadNamedStyle(str(qml))


# Rasters


def raster(file: Path, title: str = "") -> QgsRasterLayer:
    # Without the default style, for which QGIS would first read the whole raster.
    layer = QgsRasterLayer(str(file), title or title_of(file.stem), "gdal", QgsRasterLayer.LayerOptions(False))
    if layer.isValid():
        _dress(layer)
    return layer


def without_band_name(node: core.QgsLayerTreeLayer) -> int:
    """Hides the legend's line that only says “Band 1”; returns how many lines are left."""
    layer = node.layer()
    count = len(core.QgsMapLayerLegend.defaultRasterLegend(layer).createLayerTreeModelLegendNodes(node)) - 1
    core.QgsMapLayerLegendUtils.setLegendNodeOrder(node, list(range(1, count + 1)))
    return count


# Zones


def _zone_title(file: Path) -> str:
    if file.stem.startswith("intensity"):
        stem = file.stem[len("intensity_") :]
        scenario = scenario_names(file.parent).get(stem) or stem.replace("_", " ")
        return tr("Intensity, {}").format(scenario) if scenario not in ("", "all") else tr("Intensity")
    return tr("Hazard zones")


def zone_polygons(file: Path) -> QgsVectorLayer:
    return _vector(str(file), f"{_zone_title(file)} ({schemes.scheme_name(file.parent.name)})")


def zone_raster(file: Path) -> QgsRasterLayer:
    return raster(file, tr("{}, as raster ({})").format(_zone_title(file), schemes.scheme_name(file.parent.name)))


def _vector(source: str, title: str) -> QgsVectorLayer:
    layer = QgsVectorLayer(source, title, "ogr")
    if layer.isValid():
        _dress(layer)
    return layer


# Tracks and lines


def _tracks(file: Path, title: str, scenario: str, colour: str = "") -> QgsVectorLayer:
    source = f"{file}|subset=\"scenario\" = '{scenario.replace(chr(39), chr(39) * 2)}'" if scenario else str(file)
    layer = _vector(source, f"{title}, {scenario}" if scenario else title)
    if colour and layer.isValid():
        symbol = core.QgsSymbol.defaultSymbol(layer.geometryType())
        symbol.setColor(QColor(colour))
        layer.setRenderer(core.QgsSingleSymbolRenderer(symbol))
    return layer


def deposits(file: Path, scenario: str = "", colour: str = "") -> QgsVectorLayer:
    return _tracks(file, tr("Deposits (size: mass)") if not colour else tr("Deposits"), scenario, colour)


def trajectories(file: Path, scenario: str = "", colour: str = "") -> QgsVectorLayer:
    """Coloured by energy, with velocity as a second style to switch to; of a scenario in its own colour."""
    if colour:
        return _tracks(file, tr("Trajectories"), scenario, colour)
    layer = _tracks(file, tr("Trajectories (largest energy, kJ)"), scenario)
    other = file.with_name("trajectories_velocity.qml")
    if layer.isValid() and other.is_file():
        manager, by_energy, by_velocity = layer.styleManager(), tr("energy (kJ)"), tr("velocity (m/s)")
        manager.renameStyle(manager.currentStyle(), by_energy)
        manager.addStyle(by_velocity, core.QgsMapLayerStyle(other.read_text("utf-8")))
    return layer


def rocks_on_their_way(file: Path) -> QgsVectorLayer:
    return _vector(str(file), tr("Rocks along their way (velocity, m/s)"))


def recorded_line(source: str, name: str, picture: Path) -> QgsVectorLayer:
    """A barrier or recording line, with its histograms as map tip and as action on a click."""
    title = tr(GENERIC.get(name, name))
    layer = QgsVectorLayer(source, tr("{} (histograms: point at it)").format(title), "ogr")
    if layer.isValid():
        # Bold with a pale border, so that it stands out on any map.
        symbol = core.QgsLineSymbol.createSimple({"line_color": "#ffffff", "line_width": "1.1", "capstyle": "round"})
        symbol.appendSymbolLayer(core.QgsSimpleLineSymbolLayer(QColor("#1f3a93"), 0.6))
        layer.setRenderer(core.QgsSingleSymbolRenderer(symbol))
        layer.setMapTipTemplate(f"<b>{title}</b><br>{_picture(picture)}")
        _open_on_click(layer, picture)
    return layer


def crossing_points(file: Path) -> QgsVectorLayer:
    return _vector(str(file), tr("Crossings of lines (energy, kJ)"))


def _picture(file: Path) -> str:
    return f'<img src="{file.as_uri()}" width="380">'


def _open_on_click(layer: QgsVectorLayer, picture: Path) -> None:
    action = core.QgsAction(
        core.QgsAction.ActionType.OpenUrl, tr("Show histograms"), picture.as_uri(), "", False, "", {"Feature", "Canvas"}
    )
    layer.actions().addAction(action)
    layer.actions().setDefaultAction("Canvas", action.id())
