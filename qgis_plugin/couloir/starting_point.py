"""“Rerun with changes” and “Open project file”: a run or a project made elsewhere becomes the panel's starting point."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from qgis.core import QgsLayerTreeGroup, QgsMapLayer, QgsProject, QgsRasterLayer, QgsVectorLayer

from .fields import BY_NAME
from .i18n import tr

#: Fields that are layers, as they lie over one another.
LAYER_NAMES = ("release", "barriers", "lines", "objects", "ground", "forest", "dem")


@dataclass
class Start:
    """The project a rerun starts from, and what the panel showed of it before the user changed anything."""

    #: Project file or folder of a run.
    source: str
    #: As the engine read it (`couloir form`).
    form: dict[str, Any]
    before: dict[str, Any]

    def to_text(self) -> str:
        """For the QGIS project: the panel is the same when a colleague opens it."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> Start | None:
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError):
            return None

    @property
    def kept(self) -> list[str]:
        """Keys of the project that the panel has no field for."""
        return [key for key, _ in self.form["other"]]

    def touched(self) -> set[str]:
        """Layers that are still the run's but no longer as the run had them: edited or filtered otherwise."""
        changed = set()
        for name, shown in self.form["layers"].items():
            layer = QgsProject.instance().mapLayer(self.before.get(name) or "")
            if isinstance(layer, QgsVectorLayer) and (layer.isModified() or layer.subsetString() != shown["filter"]):
                changed.add(name)
        return changed

    def sentence(self) -> str:
        words = tr("Rerun of “{}” with changes: nothing of that run is replaced.")
        if not self.form["run"]:
            words = tr("From the project “{}”: its file stays as it is.")
        text = words.format(self.form["title"])
        if self.kept:
            sections = Counter(key.partition(".")[0] for key in self.kept)
            named = ", ".join(f"{name} ({count})" for name, count in sections.items())
            text += " " + tr("Kept as it is there, because the panel has no field for it: {}.").format(named)
        if self.form["limited_to"] is not None:
            text += " " + tr("That run was limited to {} rocks; this one runs all.").format(self.form["limited_to"])
        if self.form["changed_inputs"]:
            text += " " + tr("Changed since that run: {}.").format(", ".join(self.form["changed_inputs"]))
        return text


def start_from(source: Path, form: dict[str, Any]) -> tuple[Start, dict[str, Any]]:
    """Loads the layers of a project; returns it with the values for the panel."""
    values = {**dict.fromkeys(LAYER_NAMES), **form["values"], **_load_layers(form)}
    if values["point_cloud"]:
        values["point_cloud"] = str(Path(form["folder"]) / values["point_cloud"])
    return Start(str(source), form, {}), values


def _load_layers(form: dict[str, Any]) -> dict[str, str]:
    project = QgsProject.instance()
    group: QgsLayerTreeGroup | None = None
    identifiers = {}
    for name in LAYER_NAMES:
        if name not in form["layers"]:
            continue
        source, subset = form["layers"][name]["file"], form["layers"][name]["filter"]
        layer = _present(Path(source.split("|")[0]), subset, project)
        if layer is None:
            label = f"{tr(BY_NAME[name].label)} – {form['title']}"
            layer = QgsRasterLayer(source, label) if name == "dem" else QgsVectorLayer(source, label, "ogr")
            if subset and isinstance(layer, QgsVectorLayer):
                layer.setSubsetString(subset)
            if not layer.isValid():
                continue
            if group is None:
                group = project.layerTreeRoot().addGroup(tr("Inputs of {}").format(form["title"]))
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
