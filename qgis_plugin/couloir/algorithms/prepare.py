"""Prepare project area: from any DEMs and layers to a run-ready folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsProcessingFeedback, QgsProject, QgsRasterLayer, QgsVectorLayer

from ..errors import Unusable
from ..export import check_heights, crs_text, raster_file, vector_file
from ..i18n import tr
from ..run_folders import removed_on_failure
from .base import CouloirAlgorithm, temporary_folder
from .parameters import Values


class PrepareArea(CouloirAlgorithm):
    ID = "prepare"

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        out = values["OUTPUT"]
        with temporary_folder() as folder, removed_on_failure(out):
            arguments = ["prepare", "--progress", "json", *self._dems(values, folder), *self._extent(values)]
            arguments += [*values.options(folder), *self._layers(values, folder), "--out", str(out)]
            self.run_engine(arguments, feedback)
        self._load(out, values.context)
        return {"OUTPUT": str(out), "PROJECT": str(out / "project.yaml")}

    def _dems(self, values: Values, folder: Path) -> list[str]:
        arguments: list[str] = []
        for number, layer in enumerate(values["DEM"]):
            if not isinstance(layer, QgsRasterLayer):
                raise Unusable(tr("“{}” is not a raster layer.").format(layer.name()))
            check_heights(layer)
            if not layer.crs().isValid() and not values["DEM_CRS"].isValid():
                raise Unusable(
                    tr("The DEM “{}” has no CRS. Say it in “CRS of DEMs that do not say theirs”.").format(layer.name())
                )
            arguments += ["--dem", str(raster_file(layer, folder, f"dem_{number}"))]
        return arguments

    @staticmethod
    def _extent(values: Values) -> list[str]:
        extent = values["EXTENT"]
        if values["AREA"] is not None or extent.isNull():
            return []
        corners = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
        return ["--aoi=" + ",".join([*(f"{c:.10g}" for c in corners), crs_text(values.read("ExtentCrs", "EXTENT"))])]

    @staticmethod
    def _layers(values: Values, folder: Path) -> list[str]:
        """Classes of ground and forest, and parameters, as the engine takes them."""
        found: list[tuple[str, str]] = []
        for name in ("ground", "forest"):
            source, attribute = values[name.upper()], values[f"{name.upper()}_FIELD"]
            if source is not None and not attribute:
                raise Unusable(tr("Choose the attribute that holds the class of “{}”.").format(source.sourceName()))
            if source is not None:
                found.append((name, f"{vector_file(source, folder, name)}:{attribute}"))
        for layer in values["PARAMETERS"] or []:
            found.append((layer.name(), str(raster_file(layer, folder, layer.name()))))
        polygons = values["PARAMETER_POLYGONS"]
        if polygons is not None:
            if not values["PARAMETER_FIELDS"]:
                raise Unusable(tr("Choose the attributes of “{}” to use.").format(polygons.sourceName()))
            file = vector_file(polygons, folder, "parameters")
            found += [(name, f"{file}:{name}") for name in values["PARAMETER_FIELDS"]]
        return [word for name, file in found for word in ("--layer", f"{name}={file}")]

    @staticmethod
    def _load(out: Path, context: core.QgsProcessingContext) -> None:
        """Layers of the folder join the project when the algorithm has finished."""
        project = context.project() or QgsProject.instance()
        for file in [*sorted(out.rglob("*.tif")), *sorted(out.rglob("*.gpkg"))]:
            kind = QgsRasterLayer if file.suffix == ".tif" else QgsVectorLayer
            layer = kind(str(file), f"{out.name} – {file.stem}")
            if layer.isValid():
                context.temporaryLayerStore().addMapLayer(layer)
                details = core.QgsProcessingContext.LayerDetails(layer.name(), project, layer.name())
                context.addLayerToLoadOnCompletion(layer.id(), details)
