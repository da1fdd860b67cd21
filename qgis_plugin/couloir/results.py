"""A finished run in the layer tree: one group per run, named for people, styled.

Files are loaded where they are; styles are saved beside them. A run that is loaded again gets a group of its own, nothing
is replaced.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qgis.core import (
    Qgis,
    QgsLayerTreeGroup,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)

from . import styles
from .export import Unusable
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
SCHEMES = {"swiss": noop("Swiss scheme"), "austria": noop("Austrian scheme"), "norway": noop("Norwegian scheme")}
#: Visible when a run is loaded; the others are one click away.
SHOWN = ("kinetic_energy_kj_p95", "hazard")


@dataclass
class Run:
    """What a run folder holds."""

    folder: Path
    manifest: dict[str, Any]
    variants: list[tuple[str, Path]] = field(default_factory=list)

    @property
    def title(self) -> str:
        name = self.folder.parent.name if self.folder.name == "run" else self.folder.name
        title = self.manifest.get("project", {}).get("title") or name
        return f"{title} – {name}" if title != name else title

    @property
    def finished(self) -> str:
        return str(self.manifest.get("this_run", {}).get("finished_utc", ""))


class NotARun(Unusable):
    """The folder holds no finished run; the text says so in one sentence."""


def read(folder: Path) -> Run:
    file = folder / "manifest.json"
    try:
        manifest = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise NotARun(
            tr("“{}” holds no finished Couloir run (its manifest.json is missing or unreadable).").format(folder)
        ) from error
    variants = [
        (title, folder / name)
        for name, title in (("with_barriers", tr("with barriers")), ("without_barriers", tr("without barriers")))
        if (folder / name).is_dir()
    ] or [("", folder)]
    return Run(folder, manifest, variants)


def find_runs(place: Path) -> list[Run]:
    """Finished runs in a project folder, newest first."""
    runs = []
    for manifest in [*place.glob("manifest.json"), *place.glob("*/manifest.json"), *place.glob("*/*/manifest.json")]:
        try:
            runs.append(read(manifest.parent))
        except NotARun:
            continue
    return sorted(runs, key=lambda run: run.finished, reverse=True)


def title_of(name: str) -> str:
    """`kinetic_energy_kj_p95` → “Kinetic energy, 95th percentile (kJ)”."""
    units = {"_kj": "kJ", "_ms": "m/s", "_m": "m", "_rps": "rev/s", "_deg": "°"}
    stem, statistic = name, ""
    for suffix, words in STATISTICS.items():
        if name.endswith(f"_{suffix}"):
            stem, statistic = name[: -len(suffix) - 1], tr(words)
    if stem.startswith("frequency_above_"):
        energy = stem[len("frequency_above_") :].replace("_kj", "").replace("_", ".")
        return tr("Passages per year above {} kJ").format(energy)
    unit = ""
    for suffix, symbol in units.items():
        if stem.endswith(suffix):
            stem, unit = stem[: -len(suffix)], symbol
            break
    words = next((title for start, title in styles.TITLES.items() if stem.startswith(start)), stem.replace("_", " "))
    return tr(words) + (f", {statistic}" if statistic else "") + (f" ({unit})" if unit else "")


def show(run: Run, project: QgsProject | None) -> None:
    """Loads a run; without a project (qgis_process) only the styles are saved beside the files."""
    if project is not None:
        load(run, project)
        return
    for _, folder in run.variants:
        _layers(folder)


def load(run: Run, project: QgsProject | None = None) -> QgsLayerTreeGroup:
    """Adds everything a run holds to the project, in a group of its own."""
    project = project or QgsProject.instance()
    group = project.layerTreeRoot().insertGroup(0, unused_name(run.title, project))
    for title, folder in run.variants:
        inner = group.addGroup(title) if title else group
        for layer, shown in _layers(folder):
            project.addMapLayer(layer, False)
            node = inner.addLayer(layer)
            node.setItemVisibilityChecked(shown)
            node.setExpanded(shown)
    return group


def unused_name(title: str, project: QgsProject) -> str:
    taken = {child.name() for child in project.layerTreeRoot().children()}
    name, number = title, 2
    while name in taken:
        name, number = f"{title} ({number})", number + 1
    return name


def _layers(folder: Path) -> list[tuple[QgsMapLayer, bool]]:
    """Layers from top to bottom, and whether each is shown at first."""
    found: list[tuple[QgsMapLayer, bool]] = []
    found += _vectors(folder)
    for scheme in sorted((folder / "classification").glob("*/")):
        found += _classification(scheme)
    # Zones and energy over one another would blur both.
    zones = any(shown and Path(layer.source().split("|")[0]).stem == "hazard" for layer, shown in found)
    rasters = sorted((folder / "layers").glob("*.tif"), key=lambda file: _order(file.stem))
    for file in rasters:
        layer = _raster(file)
        if layer.isValid():
            found.append((layer, file.stem in SHOWN and not zones))
    return found


def _raster(file: Path) -> QgsRasterLayer:
    layer = QgsRasterLayer(str(file), title_of(file.stem))
    if layer.isValid():
        styles.style_raster(layer, file.stem)
        styles.save(layer, file)
    return layer


def _order(name: str) -> tuple[int, str]:
    order = [start for start, _ in styles.RASTER_CLASSES]
    return next((i for i, start in enumerate(order) if name.startswith(start)), len(order)), name


def _vectors(folder: Path) -> list[tuple[QgsMapLayer, bool]]:
    found: list[tuple[QgsMapLayer, bool]] = []
    tracks = folder / "trajectories"
    for stem in ("deposits", "trajectory_points", "trajectories"):
        file = next((f for f in (tracks / f"{stem}{e}" for e in (".gpkg", ".fgb", ".shp")) if f.is_file()), None)
        if file is None:
            continue
        layer = QgsVectorLayer(str(file), "", "ogr")
        if not layer.isValid():
            continue
        if stem == "deposits":
            layer.setName(tr("Deposits (size: mass)"))
            styles.style_deposits(layer, "mass_kg")
        elif stem == "trajectories":
            layer.setName(tr("Trajectories (largest energy, kJ)"))
            styles.style_trajectories(layer)
        else:
            layer.setName(tr("Rocks along their way (velocity, m/s)"))
            styles.style_points(layer, "velo_ms", styles.VELOCITY)
            animate(layer)
        styles.save(layer, file)
        found.append((layer, stem == "deposits"))
    crossings = folder / "lines" / "crossings.gpkg"
    if crossings.is_file():
        layer = QgsVectorLayer(str(crossings), tr("Crossings of lines (energy, kJ)"), "ogr")
        if layer.isValid():
            styles.style_points(layer, "kinetic_energy_kj", styles.ENERGY)
            layer.setMapTipTemplate(_histograms(crossings.parent))
            styles.save(layer, crossings)
            found.append((layer, False))
    return found


def _histograms(folder: Path) -> str:
    """A map tip with the crossing's numbers and the histograms of its line (SVG files beside the crossings)."""
    text = '<b>[% "line" %]</b>: [% round("kinetic_energy_kj") %] kJ, [% round("velocity_ms", 1) %] m/s<br>'
    sheets = folder / "dimensioning.json"
    names = [str(sheet["line"]) for sheet in json.loads(sheets.read_text("utf-8"))] if sheets.is_file() else []
    for number, name in enumerate(names, 1):
        file = next(iter(sorted(folder.glob(f"{number:02}_*.svg"))), None)
        if file is not None:
            quoted = name.replace("'", "''")
            text += f"""[% if("line" = '{quoted}', '<img src="{file.as_uri()}" width="420">', '') %]"""
    return text


def animate(layer: QgsVectorLayer) -> None:
    """Lets the time slider run the rocks: seconds since release, from midnight of a fixed day."""
    start = 'datetime_from_epoch(1000 * (946684800 + "time_s"))'
    properties = layer.temporalProperties()
    properties.setMode(Qgis.VectorTemporalMode.FeatureDateTimeStartAndEndFromExpressions)
    properties.setStartExpression(start)
    properties.setEndExpression(f"{start} + make_interval(seconds:=0.2)")
    properties.setIsActive(True)


def _classification(folder: Path) -> list[tuple[QgsMapLayer, bool]]:
    found: list[tuple[QgsMapLayer, bool]] = []
    for file in sorted(folder.glob("*.gpkg")):
        layer = _zones(file)
        if layer.isValid():
            found.append((layer, file.stem == "hazard"))
    return found


def _zones(file: Path) -> QgsVectorLayer:
    words = tr("Hazard zones")
    if file.stem.startswith("intensity"):
        scenario = file.stem[len("intensity_") :].replace("_", " ")
        words = tr("Intensity, {}").format(scenario) if scenario else tr("Intensity")
    layer = QgsVectorLayer(str(file), f"{words} ({tr(SCHEMES.get(file.parent.name, file.parent.name))})", "ogr")
    if layer.isValid():
        styles.style_zone_polygons(layer)
        styles.save(layer, file)
    return layer


def open_layer(file: Path, project: QgsProject) -> QgsMapLayer:
    """A styled layer of a run: the one in the project if it is there, else a new one."""
    for layer in project.mapLayers().values():
        if Path(layer.source().split("|")[0]) == file:
            return layer
    layer = _zones(file) if file.suffix == ".gpkg" else _raster(file)
    if not layer.isValid():
        raise Unusable(tr("“{}” cannot be read.").format(file))
    return layer


def extent_of_data(layer: QgsRasterLayer) -> QgsRectangle:
    """The part of a raster that holds values: maps zoom to it. Looks at a few hundred blocks at most."""
    provider, extent = layer.dataProvider(), layer.extent()
    columns, rows = min(provider.xSize(), 250), min(provider.ySize(), 250)
    block = provider.block(1, extent, columns, rows)
    filled = [(r, c) for r in range(rows) for c in range(columns) if not block.isNoData(r, c) and block.value(r, c) != 0]
    if not filled:
        return extent
    width, height = extent.width() / columns, extent.height() / rows
    top, bottom = min(r for r, _ in filled), max(r for r, _ in filled) + 1
    left, right = min(c for _, c in filled), max(c for _, c in filled) + 1
    return QgsRectangle(
        extent.xMinimum() + left * width,
        extent.yMaximum() - bottom * height,
        extent.xMinimum() + right * width,
        extent.yMaximum() - top * height,
    )


def load_classification(folder: Path, project: QgsProject | None, scheme: str = "") -> QgsLayerTreeGroup | None:
    """Adds intensity and hazard zones of a run (or of one of its variants) in a group of their own.

    Without a project (qgis_process) only the styles are saved beside the files.
    """
    schemes = [s for s in sorted((folder / "classification").glob("*/")) if not scheme or s.name == scheme]
    layers = [layer for place in schemes for layer in _classification(place)]
    if not layers or project is None:
        return None
    title = f"{tr('Hazard zones')} – {folder.name}"
    group = project.layerTreeRoot().insertGroup(0, unused_name(title, project))
    for layer, shown in layers:
        project.addMapLayer(layer, False)
        group.addLayer(layer).setItemVisibilityChecked(shown)
    return group
