"""“Rerun with changes” and “Open project file”: a run or a project made elsewhere becomes the panel's starting point.

The manifest of a run keeps the project's text and the hashes of the inputs; the engine turns the text into a plain
document (`couloir show`), so that no YAML is taken apart here.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from qgis.core import QgsLayerTreeGroup, QgsMapLayer, QgsProject, QgsRasterLayer, QgsVectorLayer

from . import engine, results
from .errors import Unusable
from .i18n import noop, tr
from .project_document import Shown, shown
from .project_file import paths
from .run_folders import project_folders

#: Larger inputs are not hashed again, only looked for.
HASH_LIMIT = 100_000_000
LAYER_NAMES = {
    "release": noop("Release areas"),
    "barriers": noop("Barriers"),
    "lines": noop("Recording lines (roads …)"),
    "objects": noop("Objects at risk (houses, roads …)"),
    "ground": noop("Ground polygons"),
    "forest": noop("Forest polygons"),
    "dem": noop("Elevation model (DEM)"),
}


@dataclass
class Origin:
    """The project of a run, or a project file, as it was written, and the folder its paths are relative to."""

    #: The run's folder; empty for a project file.
    run: str
    title: str
    document: dict[str, Any]
    base: str
    #: Inputs that are no longer those of the run.
    changed: list[str] = field(default_factory=list)
    #: Rocks the run was limited to, if it was.
    limit: int | None = None

    def path(self, text: str) -> Path:
        return Path(self.base) / text.split("|")[0]


def origin_of(source: results.Run | Path) -> Origin:
    """Raises Unusable if inputs of a run are no longer there, EngineError if there is no engine to read the project."""
    if isinstance(source, Path):
        document = engine.ask("show", str(source))
        return Origin("", document.get("title") or source.name, document, str(source.resolve().parent))
    document = engine.ask("show", str(source.folder))
    base, changed = _base(source, document)
    rocks, planned = source.manifest.get("rocks"), source.manifest.get("rocks_planned")
    limited = isinstance(rocks, int) and isinstance(planned, int) and rocks < planned
    return Origin(str(source.folder), source.title, document, str(base), changed, rocks if limited else None)


def _base(run: results.Run, document: dict[str, Any]) -> tuple[Path, list[str]]:
    """The folder that holds the inputs, and which of them have changed since."""
    places = project_folders(run.folder, run.manifest)
    wanted = [text for _, _, text in paths(document)]

    def missing(place: Path) -> list[str]:
        return [text for text in wanted if not (place / text.split("|")[0]).exists()]

    best = min(places, key=lambda place: len(missing(place)))
    lost = missing(best)
    if lost:
        words = tr("The run “{}” cannot be repeated: its input “{}” is neither in “{}” nor beside the run.")
        raise Unusable(words.format(run.folder, lost[0], places[0]))
    hashes = {str(item.get("path")): item.get("sha256") for item in run.manifest.get("inputs", [])}
    changed = []
    for text in dict.fromkeys(text.split("|")[0] for text in wanted):
        file, before = best / text, hashes.get(text)
        known = before and file.is_file() and file.stat().st_size <= HASH_LIMIT
        if known and hashlib.sha256(file.read_bytes()).hexdigest() != before:
            changed.append(text)
    return best, changed


@dataclass
class Start:
    """The project a rerun starts from, and what the panel showed of it before the user changed anything."""

    origin: Origin
    before: dict[str, Any]
    filters: dict[str, str]
    kept: list[str]

    def to_text(self) -> str:
        """For the QGIS project: the panel is the same when a colleague opens it."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> Start | None:
        try:
            stored = json.loads(text)
            return cls(Origin(**stored["origin"]), stored["before"], stored["filters"], stored["kept"])
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


def start_from(origin: Origin) -> tuple[Start, dict[str, Any]]:
    """Loads the layers of a project; returns it with the values for the panel."""
    found = shown(origin.document)
    values = {**dict.fromkeys(LAYER_NAMES), **found.values}
    if values.get("point_cloud"):
        values["point_cloud"] = str(origin.path(values["point_cloud"]))
    values.update(_load_layers(origin, found))
    filters = {name: subset for name, (_, subset) in found.files.items() if name != "dem"}
    return Start(origin, {}, filters, found.kept), values


def _load_layers(origin: Origin, found: Shown) -> dict[str, str]:
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
