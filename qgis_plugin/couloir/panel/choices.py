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
from .pages import GroundPage

STATE_FILE = "panel.json"


def write_project(values: dict[str, Any], ground_page: GroundPage, folder: Path, keep: bool = False) -> Path:
    """Exports the layers and writes project.yaml; raises Unusable with one sentence.

    With `keep` the folder holds the DEM as well.
    """
    folder.mkdir(parents=True, exist_ok=True)
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
        ground_numbers=ground_page.edited(presets.GROUND, "ground_default", GroundPage.GROUND_KEYS),
        ground=classed("ground"),
        forest_default=values["forest_default"],
        forest_numbers=ground_page.edited(presets.FOREST, "forest_default", GroundPage.FOREST_KEYS),
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


def _layer(values: dict[str, Any], name: str) -> Any:
    identifier = values.get(name)
    return QgsProject.instance().mapLayer(identifier) if identifier else None
