"""A finished run in the layer tree: one group per run, in it one per variant and scenario, named for people, styled.

Files are loaded where they are, with the engine's styles. A run that is loaded again gets a group of its own, nothing
is replaced.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsLayerTreeGroup, QgsMapLayer, QgsProject, QgsRasterLayer
from qgis.gui import QgsLayerTreeView, QgsLayerTreeViewIndicator
from qgis.PyQt.QtCore import QDate, QDateTime, Qt, QTime, QTimer
from qgis.utils import iface

from . import layers
from .errors import Unusable
from .i18n import tr
from .run_folders import free_name, notes_of

#: On a group of the layer tree: the run folder it shows.
RUN_PROPERTY = "couloir/run"
WARNINGS_PROPERTY = "couloir/warnings"


@dataclass
class Run:
    """What a run folder holds."""

    folder: Path
    manifest: dict[str, Any]
    variants: list[tuple[str, Path]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The folder's name, as the user chose it."""
        return self.folder.parent.name if self.folder.name == "run" else self.folder.name

    @property
    def title(self) -> str:
        title = self.manifest.get("project", {}).get("title") or self.name
        return f"{title} – {self.name}" if title != self.name else title

    @property
    def document(self) -> dict[str, Any]:
        """The project as it was written."""
        return self.manifest.get("project", {}).get("document") or {}

    @property
    def warnings(self) -> list[str]:
        """What the engine warned of."""
        return [str(warning) for warning in self.manifest.get("warnings", [])]

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


def load(run: Run, project: QgsProject | None = None) -> QgsLayerTreeGroup:
    """Adds everything a run holds to the project, in a group of its own."""
    *_, group = _loading(run, project or QgsProject.instance())
    return group


#: Loads under way: a timer alone would not keep them alive.
_under_way: list[Iterator[QgsLayerTreeGroup | None]] = []


def load_gently(run: Run, project: QgsProject, done: Callable[[QgsLayerTreeGroup | None], None]) -> None:
    """The same, a layer at a time with the window alive in between; `done` gets the group at the end.

    It gets None if the project was closed meanwhile.
    """
    steps = _loading(run, project)
    _under_way.append(steps)
    closed: list[bool] = []

    def close() -> None:
        closed.append(True)

    project.cleared.connect(close)

    def step() -> None:
        try:
            group = None if closed else next(steps)
        except (RuntimeError, StopIteration):  # layers that are gone
            group = None
            closed.append(True)
        if group is None and not closed:
            QTimer.singleShot(0, step)
            return
        project.cleared.disconnect(close)
        _under_way.remove(steps)
        done(group)

    QTimer.singleShot(0, step)


def _items(run: Run) -> list[layers.Item]:
    if "layers" not in run.manifest:
        words = tr("“{}” was made by an older engine, which left no list of its layers. Write it with `couloir report {}`.")
        raise Unusable(words.format(run.folder, run.folder))
    colours = notes_of(run.folder).get("colours", {})
    return layers.items(run.folder, run.manifest, colours)


def _loading(run: Run, project: QgsProject) -> Iterator[QgsLayerTreeGroup | None]:
    """None after each layer, the finished group at last.

    The group grows outside the tree and enters it at once: the window would redraw itself for every single layer.
    """
    made: list[tuple[layers.Item, QgsMapLayer]] = []
    for item in _items(run):
        layer = item.make()
        if layer.isValid():
            made.append((item, layer))
        yield None
    _set_clock(project, [layer for _, layer in made], run.document.get("outputs", {}).get("points_every_s") or 0.5)
    group = QgsLayerTreeGroup(unused_name(run.title, project))
    # Variants would hide one another: one at a time.
    parts = {title: QgsLayerTreeGroup(title) if title else group for title, _ in run.variants}
    for item, layer in made:
        project.addMapLayer(layer, False)
        part = parts.get(item.groups[0]) if item.groups else None
        place(part or group, item.groups[1:] if part else item.groups, layer, item.shown)
        yield None
    group.setCustomProperty(RUN_PROPERTY, str(run.folder))
    group.setCustomProperty(WARNINGS_PROPERTY, "\n".join(run.warnings))
    project.layerTreeRoot().insertChildNode(0, group)
    for number, (title, part) in enumerate(parts.items()):
        if title:
            yield None
            part.setItemVisibilityChecked(number == 0)
            part.setExpanded(number == 0)
            group.addChildNode(part)
    yield None
    for node in [group, *group.findGroups(True), *group.findLayers()]:
        # The tree's view takes note of changes only.
        if node.isExpanded():
            node.setExpanded(False)
            node.setExpanded(True)
    show_warnings([group])
    yield group


def show_warnings(groups: list[QgsLayerTreeGroup]) -> None:
    """An amber sign beside a run's group, with what was warned of as its tooltip (groups have no tooltip of their own)."""
    view = iface.layerTreeView() if iface is not None else None
    if not isinstance(view, QgsLayerTreeView):
        return
    for group in groups:
        text = str(group.customProperty(WARNINGS_PROPERTY, "") or "")
        if text and not view.indicators(group):
            sign = QgsLayerTreeViewIndicator(view)
            sign.setIcon(core.QgsApplication.getThemeIcon("/mIconWarning.svg"))
            sign.setToolTip(text)
            view.addIndicator(group, sign)


def place(group: QgsLayerTreeGroup, path: Iterable[str], layer: QgsMapLayer, shown: bool) -> None:
    for name in path:
        inner = next((g for g in group.findGroups() if g.name() == name), None)
        if inner is None:
            inner = group.addGroup(name)
            inner.setExpanded(False)
        group = inner
    node = group.addLayer(layer)
    node.setItemVisibilityChecked(shown)
    node.setExpanded(shown)
    if isinstance(layer, QgsRasterLayer):
        layers.without_band_name(node)
    if shown:
        group.setExpanded(True)


def unused_name(title: str, project: QgsProject) -> str:
    return free_name(title, {child.name() for child in project.layerTreeRoot().children()})


def _set_clock(project: QgsProject, loaded: list[QgsMapLayer], every_s: float) -> None:
    """Tells the time slider how long rocks run, unless the project has a time span of its own."""
    moving = [layer for layer in loaded if isinstance(layer, core.QgsVectorLayer) and layer.temporalProperties().isActive()]
    settings = project.timeSettings()
    if not moving or not settings.temporalRange().isInfinite():
        return
    index = moving[0].fields().indexOf("time_s")
    longest = max(float(layer.maximumValue(index) or 0) for layer in moving)
    start = QDateTime(QDate(2000, 1, 1), QTime(0, 0), Qt.TimeSpec.UTC)
    span = core.QgsDateTimeRange(start, start.addMSecs(int(1000 * longest) + 1000))
    settings.setTemporalRange(span)
    # A frame for every record of a rock, in real time.
    step = max(every_s, 0.1)
    settings.setTimeStep(step)
    settings.setTimeStepUnit(core.QgsUnitTypes.TemporalUnit.TemporalSeconds)
    settings.setFramesPerSecond(1 / step)
    controller = iface.mapCanvas().temporalController() if iface is not None else None
    if controller is not None:
        controller.setTemporalExtents(span)
        controller.setFrameDuration(core.QgsInterval(step, core.QgsUnitTypes.TemporalUnit.TemporalSeconds))


def find_layer(run: Run, wanted: tuple[str, ...], project: QgsProject) -> QgsMapLayer | None:
    """The first layer of the run whose name of a file begins so, styled: the one in the project if it is there."""
    for start in wanted:
        for item in _items(run):
            if item.file.name.startswith(start) and not item.scenario:
                layer = _loaded(item.file, project) or item.make()
                if not layer.isValid():
                    raise Unusable(tr("“{}” cannot be read.").format(item.file))
                return layer
    return None


def _loaded(file: Path, project: QgsProject) -> QgsMapLayer | None:
    return next((layer for layer in project.mapLayers().values() if Path(layer.source().split("|")[0]) == file), None)


def extent_of_data(layer: QgsRasterLayer) -> core.QgsRectangle:
    """The part of a raster that holds values: maps zoom to it. Looks at a few hundred blocks at most."""
    provider, extent = layer.dataProvider(), layer.extent()
    columns, rows = min(provider.xSize(), 250), min(provider.ySize(), 250)
    block = provider.block(1, extent, columns, rows)
    filled = [(r, c) for r in range(rows) for c in range(columns) if not block.isNoData(r, c) and block.value(r, c) != 0]
    if not filled:
        return extent
    width, height = extent.width() / columns, extent.height() / rows
    down, right = [row for row, _ in filled], [column for _, column in filled]
    west, east = (extent.xMinimum() + number * width for number in (min(right), max(right) + 1))
    south, north = (extent.yMaximum() - number * height for number in (max(down) + 1, min(down)))
    return core.QgsRectangle(west, south, east, north)


def load_classification(run: Run, project: QgsProject) -> None:
    """Brings intensity and hazard zones of a run to the map: into the run's group if it is there, else a group of their own.

    Zones that are on the map already are read and styled anew.
    """
    group = _group_of(run, project)
    for item in _items(run):
        if item.file.parent.parent.name != "classification":
            continue
        layer, before = item.make(), _loaded(item.file, project)
        if not layer.isValid():
            continue
        if before is not None:
            before.reload()
            before.setRenderer(layer.renderer().clone())
            before.triggerRepaint()
            continue
        project.addMapLayer(layer, False)
        zones = item.file.name == "hazard.gpkg"
        for node in group.findLayers() if zones else ():
            # One scheme at a time: zones of two would blur one another.
            if Path(node.layer().source().split("|")[0]).name == "hazard.gpkg":
                node.setItemVisibilityChecked(False)
        place(group, item.groups, layer, item.shown or zones)


def _group_of(run: Run, project: QgsProject) -> QgsLayerTreeGroup:
    root = project.layerTreeRoot()
    for group in root.findGroups():
        if group.customProperty(RUN_PROPERTY) == str(run.folder):
            return group
    group = root.insertGroup(0, unused_name(f"{run.title}: {tr('Hazard zones')}", project))
    group.setCustomProperty(RUN_PROPERTY, str(run.folder))
    return group
