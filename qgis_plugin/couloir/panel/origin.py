"""“Rerun with changes” and “Open project file”: a run or a project made elsewhere becomes the panel's starting point."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from qgis.core import QgsLayerTreeGroup, QgsMapLayer, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from .. import rerun, results
from ..documents import Shown, shown
from ..i18n import noop, tr

LAYER_NAMES = {
    "release": noop("Release areas"),
    "barriers": noop("Barriers"),
    "lines": noop("Recording lines (roads …)"),
    "ground": noop("Ground polygons"),
    "forest": noop("Forest polygons"),
    "dem": noop("Elevation model (DEM)"),
}


class Start:
    """The project a rerun starts from, and what the panel showed of it before the user changed anything."""

    def __init__(self, origin: rerun.Origin, before: dict[str, Any], filters: dict[str, str], kept: list[str]) -> None:
        self.origin = origin
        self.before = before
        self.filters = filters
        self.kept = kept

    def to_text(self) -> str:
        """For the QGIS project: the panel is the same when a colleague opens it."""
        return json.dumps({**vars(self), "origin": asdict(self.origin)}, ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> Start | None:
        try:
            stored = json.loads(text)
            return cls(rerun.Origin(**stored["origin"]), stored["before"], stored["filters"], stored["kept"])
        except (ValueError, KeyError, TypeError):
            return None

    def touched(self) -> set[str]:
        """Layers that are still the run's but no longer as the run had them: edited or filtered otherwise."""
        changed = set()
        for name, subset in self.filters.items():
            layer = QgsProject.instance().mapLayer(self.before.get(name) or "")
            if isinstance(layer, QgsVectorLayer) and (layer.isModified() or layer.subsetString() != subset):
                changed.add(name)
        return changed

    def sentence(self) -> str:
        words = tr("Rerun of “{}” with changes: nothing of that run is replaced.")
        if not self.origin.run:
            words = tr("From the project “{}”: its file stays as it is.")
        text = words.format(self.origin.title)
        if self.kept:
            sections = Counter(key.partition(".")[0] for key in self.kept)
            named = ", ".join(f"{name} ({count})" for name, count in sections.items())
            text += " " + tr("Kept as it is there, because the panel has no field for it: {}.").format(named)
        if self.origin.limit is not None:
            text += " " + tr("That run was limited to {} rocks; this one runs all.").format(self.origin.limit)
        if self.origin.changed:
            text += " " + tr("Changed since that run: {}.").format(", ".join(self.origin.changed))
        return text


def start_from(source: results.Run | Path) -> tuple[Start, dict[str, Any]]:
    """Reads the project of a run or a project file and loads its layers; returns it with the values for the panel."""
    origin = rerun.origin_of_project(source) if isinstance(source, Path) else rerun.origin_of(source)
    found = shown(origin.document)
    values = {**dict.fromkeys(LAYER_NAMES), **found.values}
    if values.get("point_cloud"):
        values["point_cloud"] = str(origin.path(values["point_cloud"]))
    values.update(_load_layers(origin, found))
    filters = {name: subset for name, (_, subset) in found.files.items() if name != "dem"}
    return Start(origin, {}, filters, found.kept), values


def _load_layers(origin: rerun.Origin, found: Shown) -> dict[str, str]:
    project = QgsProject.instance()
    group: QgsLayerTreeGroup | None = None
    identifiers = {}
    for name, title in LAYER_NAMES.items():
        text, subset = found.files.get(name, ("", ""))
        if not text:
            continue
        file = origin.path(text)
        layer = _present(file, subset, project)
        if layer is None:
            label = f"{tr(title)} – {origin.title}"
            source = f"{file}|{text.partition('|')[2]}".rstrip("|")
            layer = QgsRasterLayer(source, label) if name == "dem" else QgsVectorLayer(source, label, "ogr")
            if subset and isinstance(layer, QgsVectorLayer):
                layer.setSubsetString(subset)
            if not layer.isValid():
                continue
            if group is None:
                group = project.layerTreeRoot().addGroup(tr("Inputs of {}").format(origin.title))
            project.addMapLayer(layer, False)
            group.addLayer(layer)
        identifiers[name] = layer.id()
    return identifiers


def _present(file: Path, subset: str, project: QgsProject) -> QgsMapLayer | None:
    """The layer of the project that shows this file, with the same filter."""
    for layer in project.mapLayers().values():
        same = Path(layer.source().split("|")[0]) == file
        if same and (not isinstance(layer, QgsVectorLayer) or layer.subsetString() == subset):
            return layer
    return None


class OriginBar(QWidget):
    """Says what the panel starts from, with the way back."""

    forget = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.text = QLabel()
        self.text.setObjectName("origin")
        self.text.setWordWrap(True)
        button = QPushButton(tr("Start afresh"))
        button.clicked.connect(lambda _checked=False: self.forget.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.text, 1)
        row.addWidget(button)
        self.hide()

    def show_start(self, start: Start | None) -> None:
        self.setVisible(start is not None)
        self.text.setText(start.sentence() if start is not None else "")
        self.text.setToolTip("\n".join(start.kept) if start is not None else "")
