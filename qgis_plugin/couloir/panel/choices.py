"""From what the panel shows to the engine's project file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from qgis.core import QgsProject, QgsRasterLayer, QgsVectorLayer

from .. import presets
from ..export import Unusable, check_dem, raster_file, vector_file
from ..i18n import tr
from ..project_file import Choices
from ..rerun import write as write_document
from .mapping import applied
from .origin import LAYER_NAMES, Start
from .pages import edited_numbers

STATE_FILE = "panel.json"


def write_project(values: dict[str, Any], folder: Path, keep: bool = False, start: Start | None = None) -> Path:
    """Exports the layers and writes project.yaml; raises Unusable with one sentence.

    With `keep` the folder holds the DEM as well. A rerun starts from another run's project.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if start is not None:
        return _write_changed(values, folder, keep, start)
    dem = _layer(values, "dem")
    release = _layer(values, "release")
    if not isinstance(dem, QgsRasterLayer):
        raise Unusable(tr("Choose an elevation model on the page “Site”."))
    check_dem(dem)
    if not isinstance(release, QgsVectorLayer):
        raise Unusable(tr("Choose or draw release areas on the page “Site”."))

    def vector(name: str) -> Path | None:
        layer = _layer(values, name)
        return vector_file(layer, folder, name, layer.name()) if isinstance(layer, QgsVectorLayer) else None

    def classed(name: str) -> tuple[Path, str] | None:
        file = vector(name)
        if file is None:
            return None
        attribute = values.get(f"{name}_attribute")
        if not attribute:
            raise Unusable(tr("Choose the attribute that holds the class of “{}”.").format(_layer(values, name).name()))
        return file, attribute

    choices = Choices(
        dem=raster_file(dem, folder, "dem", keep),
        release=vector_file(release, folder, "release", release.name()),
        title=values.get("title") or dem.name(),
        shape=values["shape"],
        point_cloud=Path(values["point_cloud"]) if values.get("point_cloud") else None,
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
        barriers=vector("barriers"),
        barrier_height=values["barrier_height"],
        barrier_capacity=values["barrier_capacity"],
        lines=vector("lines"),
        scheme=values.get("scheme"),
        seed=values["seed"],
        points_every=values["points_every"] or None,
    )
    (folder / STATE_FILE).write_text(json.dumps(values, ensure_ascii=False, indent=1), encoding="utf-8")
    return choices.write(folder)


def panel_settings(run: Path) -> dict[str, Any] | None:
    """The panel's settings of a run started here, if its layers are still in the QGIS project."""
    try:
        values = json.loads((run.parent / "inputs" / STATE_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    layers = [values.get(name) for name in LAYER_NAMES if values.get(name)]
    return values if all(QgsProject.instance().mapLayer(layer) is not None for layer in layers) else None


def _write_changed(values: dict[str, Any], folder: Path, keep: bool, start: Start) -> Path:
    def export(name: str) -> Path | None:
        layer = _layer(values, name)
        if isinstance(layer, QgsRasterLayer):
            check_dem(layer)
            return raster_file(layer, folder, name, keep)
        if isinstance(layer, QgsVectorLayer):
            return vector_file(layer, folder, name, layer.name())
        if name in ("dem", "release"):
            raise Unusable(tr("Choose an elevation model and release areas on the page “Site”."))
        return None

    document = applied(start.origin.document, start.before, values, start.touched(), export)
    return write_document(document, Path(start.origin.base), folder, keep)


def _layer(values: dict[str, Any], name: str) -> Any:
    identifier = values.get(name)
    return QgsProject.instance().mapLayer(identifier) if identifier else None
