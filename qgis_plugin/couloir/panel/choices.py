"""From what the panel shows to the engine's project file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qgis.core import QgsProject, QgsRasterLayer, QgsVectorLayer

from .. import presets
from ..export import Snapshot, Unusable, check_dem, raster_file, vector_file
from ..i18n import tr
from ..project_file import Choices
from ..rerun import write as write_document
from .mapping import applied
from .origin import LAYER_NAMES, Start
from .pages import edited_numbers

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
        if self.start is not None:
            return self._write_changed(folder, keep, self.start)
        return self._write_new(folder, keep)

    def _vector(self, name: str, folder: Path) -> Path | None:
        return vector_file(self.vectors[name], folder, name) if name in self.vectors else None

    def _write_changed(self, folder: Path, keep: bool, start: Start) -> Path:
        def export(name: str) -> Path | None:
            return raster_file(self.dem, folder, name, keep) if name == "dem" else self._vector(name, folder)

        document = applied(start.origin.document, start.before, self.values, self.touched, export)
        return write_document(document, Path(start.origin.base), folder, keep)

    def _write_new(self, folder: Path, keep: bool) -> Path:
        values = self.values

        def classed(name: str) -> tuple[Path, str] | None:
            file = self._vector(name, folder)
            return (file, values[f"{name}_attribute"]) if file is not None else None

        cloud = Path(values["point_cloud"]) if values.get("point_cloud") else None
        if cloud is not None and keep and cloud.is_file():
            cloud = Path(shutil.copy(cloud, folder))
        choices = Choices(
            dem=raster_file(self.dem, folder, "dem", keep),
            release=vector_file(self.vectors["release"], folder, "release"),
            title=values.get("title") or self.dem.name(),
            shape=values["shape"],
            point_cloud=cloud,
            size_key=values["size_key"],
            size=values["size"],
            size_attribute=values.get("size_attribute"),
            density=values["density"],
            rocks_per_position=values["rocks_per_position"],
            spacing=values["spacing"] or None,
            min_slope=values["min_slope"] or None,
            release_height=values["release_height"],
            frequency_attribute=values.get("frequency_attribute"),
            ground_default=values["ground_default"],
            ground_numbers=edited_numbers(values, presets.ground(), "ground_default"),
            ground=classed("ground"),
            forest_default=values["forest_default"],
            forest_numbers=edited_numbers(values, presets.forest(), "forest_default"),
            forest=classed("forest"),
            barriers=self._vector("barriers", folder),
            barrier_height=values["barrier_height"],
            barrier_capacity=values["barrier_capacity"],
            lines=self._vector("lines", folder),
            scheme=values.get("scheme"),
            seed=values["seed"],
            points_every=values["points_every"] or None,
        )
        (folder / STATE_FILE).write_text(json.dumps(values, ensure_ascii=False, indent=1), encoding="utf-8")
        return choices.write(folder)


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
