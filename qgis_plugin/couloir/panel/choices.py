"""From what the panel shows to the engine's project file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qgis.core import QgsProject, QgsRasterLayer, QgsVectorLayer

from ..documents import applied, blank
from ..export import Snapshot, Unusable, check_dem, raster_file, vector_file
from ..i18n import tr
from ..rerun import write as write_document
from .origin import LAYER_NAMES, Start

STATE_FILE = "panel.json"
#: Fields that hold paths.
PATHS = ("runs", "point_cloud")


@dataclass
class Job:
    """What the panel shows, taken on the main thread; the files are written on another one."""

    values: dict[str, Any]
    dem: QgsRasterLayer
    vectors: dict[str, Snapshot]
    start: Start | None
    touched: set[str]

    @classmethod
    def take(cls, values: dict[str, Any], start: Start | None = None) -> Job:
        """Raises Unusable with one sentence if something is missing."""
        project = QgsProject.instance()
        layers = {name: project.mapLayer(values[name]) for name in LAYER_NAMES if values.get(name)}
        dem = layers.pop("dem", None)
        if not isinstance(dem, QgsRasterLayer):
            raise Unusable(tr("Choose an elevation model on the page “Site”."))
        check_dem(dem)
        vectors = {name: Snapshot(layer) for name, layer in layers.items() if isinstance(layer, QgsVectorLayer)}
        if "release" not in vectors and (start is None or start.before.get("release")):
            raise Unusable(tr("Choose or draw release areas on the page “Site”."))
        for name in ("ground", "forest"):
            if name in vectors and not values.get(f"{name}_attribute"):
                raise Unusable(tr("Choose the attribute that holds the class of “{}”.").format(vectors[name].sourceName()))
        return cls(values, dem.clone(), vectors, start, start.touched() if start is not None else set())

    def write(self, folder: Path, keep: bool = False) -> Path:
        """Exports the layers and writes project.yaml; with `keep` the folder holds the DEM as well."""
        folder.mkdir(parents=True, exist_ok=True)

        def export(name: str) -> Path | None:
            if name == "dem":
                return raster_file(self.dem, folder, name, keep)
            return vector_file(self.vectors[name], folder, name) if name in self.vectors else None

        if self.start is not None:
            origin = self.start.origin
            document = applied(origin.document, self.start.before, self.values, self.touched, export)
            return write_document(document, Path(origin.base), folder, keep)
        (folder / STATE_FILE).write_text(json.dumps(self.values, ensure_ascii=False, indent=1), encoding="utf-8")
        values = {**self.values, "title": self.values.get("title") or self.dem.name()}
        return write_document(applied(blank(), {}, values, set(), export), folder, folder, keep)


def moved(values: dict[str, Any], how: Callable[[str], str]) -> dict[str, Any]:
    """The values with their paths changed."""
    return {name: how(value) if name in PATHS and value else value for name, value in values.items()}


def portable(path: str) -> str:
    """A path inside the folder of the QGIS project, relative to it: the project can be moved and passed on."""
    home = QgsProject.instance().homePath()
    try:
        return f"./{Path(path).relative_to(home).as_posix()}" if home else path
    except ValueError:
        return path


def local(path: str) -> str:
    home = QgsProject.instance().homePath()
    return str(Path(home) / path) if home and path.startswith("./") else path


def panel_settings(run: Path) -> dict[str, Any] | None:
    """The panel's settings of a run started here, if its layers are still in the QGIS project."""
    try:
        values = json.loads((run.parent / "inputs" / STATE_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    layers = [values.get(name) for name in LAYER_NAMES if values.get(name)]
    return values if all(QgsProject.instance().mapLayer(layer) is not None for layer in layers) else None
