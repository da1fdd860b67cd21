"""Prepare project area: from any DEMs and layers to a run-ready folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsProcessingFeedback, QgsProject, QgsRasterLayer, QgsVectorLayer

from ..errors import Unusable
from ..export import check_heights, crs_text, raster_file, vector_file
from ..i18n import noop
from ..run_folders import removed_on_failure
from .base import CouloirAlgorithm
from .parameters import (
    ANY_GEOMETRY,
    POLYGON,
    RASTER,
    Values,
    advanced,
    attribute,
    features,
    many_layers,
    new_folder,
    number,
    text,
)


class PrepareArea(CouloirAlgorithm):
    ID = "prepare"
    TITLE = noop("Prepare project area")
    HELP = noop(
        "Mosaics, clips, reprojects and mends elevation models, aligns ground, forest and other layers to their grid and "
        "writes a folder that is ready to run.\n\n"
        "DEMs may be tiles in different coordinate reference systems (CRS), also in degrees; where they overlap, the first "
        "one counts. The area is a polygon layer or an extent; the run-out buffer (m) is added around it. Without a "
        "target CRS the DEM's own is kept if it is in metres, else the local UTM zone is taken.\n\n"
        "Ground and forest polygons need an attribute with the class: ground extra_soft, soft, medium_soft, medium, "
        "medium_hard, hard, extra_hard, snow; forest open, medium, dense."
    )

    def declare(self) -> list[Any]:
        tr = self.tr
        fields = core.QgsProcessingParameterField(
            "PARAMETER_FIELDS", tr("Attributes to use, each named like its parameter (mu_min, height_m, …)"), None,
            "PARAMETER_POLYGONS", core.QgsProcessingParameterField.DataType.Numeric, allowMultiple=True, optional=True,
        )  # fmt: skip
        rasters = tr("Parameter rasters, each named like its parameter (mu_min, mu_max, …)")
        return [
            many_layers("DEM", tr("Elevation model (one or several)"), RASTER, optional=False),
            core.QgsProcessingParameterCrs("DEM_CRS", tr("CRS of DEMs that do not say theirs"), optional=True),
            features("AREA", tr("Area polygon"), POLYGON),
            core.QgsProcessingParameterExtent("EXTENT", tr("… or extent"), optional=True),
            number("BUFFER", tr("Run-out buffer (m)"), 200.0, least=0.0),
            features("RELEASE", tr("Release areas"), ANY_GEOMETRY),
            features("GROUND", tr("Ground polygons"), POLYGON),
            attribute("GROUND_FIELD", tr("Ground class attribute"), "GROUND"),
            features("FOREST", tr("Forest polygons"), POLYGON),
            attribute("FOREST_FIELD", tr("Forest class attribute"), "FOREST"),
            core.QgsProcessingParameterCrs("CRS", tr("Target CRS (metric)"), optional=True),
            number("CELL", tr("Cell size (m)"), least=0.01),
            advanced(text("FILL", tr("Fill nodata holes up to (cells, or metres as 20m)"), "10")),
            advanced(text("CODES", tr("What codes mean, e.g. ground:1=hard,2=soft"))),
            advanced(many_layers("PARAMETERS", rasters, RASTER)),
            advanced(features("PARAMETER_POLYGONS", tr("Polygons with parameters"), POLYGON)),
            advanced(fields),
            text("TITLE", tr("Title")),
            new_folder("OUTPUT", tr("Project folder")),
            core.QgsProcessingOutputFile("PROJECT", tr("Project file")),
        ]

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        out = values.folder("OUTPUT")
        with self.temporary_folder() as folder:
            arguments = ["prepare", "--progress", "json", *self._dems(values, folder), *self._area(values, folder)]
            arguments += ["--buffer", f"{values.number('BUFFER'):g}", "--fill-holes", values.text("FILL") or "10"]
            if values.crs("CRS").isValid():
                arguments += ["--crs", crs_text(values.crs("CRS"))]
            if values.number("CELL"):
                arguments += ["--cell", f"{values.number('CELL'):g}"]
            for name in ("ground", "forest"):
                classed = values.classed(name.upper(), folder)
                if classed is not None:
                    arguments += ["--layer", f"{name}={classed[0]}:{classed[1]}"]
            for layer in values.layers("PARAMETERS"):
                arguments += ["--layer", f"{layer.name()}={raster_file(layer, folder, layer.name())}"]
            polygons = values.source("PARAMETER_POLYGONS")
            if polygons is not None:
                attributes = self.parameterAsFields(values.parameters, "PARAMETER_FIELDS", values.context)
                if not attributes:
                    raise Unusable(self.tr("Choose the attributes of “{}” to use.").format(polygons.sourceName()))
                file = vector_file(polygons, folder, "parameters")
                for name in attributes:
                    arguments += ["--layer", f"{name}={file}:{name}"]
            release = values.source("RELEASE")
            if release is not None:
                arguments += ["--release", str(vector_file(release, folder, "release"))]
            for key, option in (("CODES", "--codes"), ("TITLE", "--title")):
                if values.text(key):
                    arguments += [option, values.text(key)]
            with removed_on_failure(out):
                self.run_engine([*arguments, "--out", str(out)], feedback)
        self._load(out, values.context)
        return {"OUTPUT": str(out), "PROJECT": str(out / "project.yaml")}

    def _dems(self, values: Values, folder: Path) -> list[str]:
        arguments: list[str] = []
        declared = values.crs("DEM_CRS")
        for i, layer in enumerate(values.layers("DEM")):
            if not isinstance(layer, QgsRasterLayer):
                raise core.QgsProcessingException(self.tr("“{}” is not a raster layer.").format(layer.name()))
            check_heights(layer)
            if not layer.crs().isValid() and not declared.isValid():
                raise Unusable(
                    self.tr("The DEM “{}” has no CRS. Say it in “CRS of DEMs that do not say theirs”.").format(layer.name())
                )
            arguments += ["--dem", str(raster_file(layer, folder, f"dem_{i}"))]
        return [*arguments, "--dem-crs", crs_text(declared)] if declared.isValid() else arguments

    def _area(self, values: Values, folder: Path) -> list[str]:
        area = values.source("AREA")
        if area is not None:
            return ["--aoi", str(vector_file(area, folder, "area"))]
        extent = self.parameterAsExtent(values.parameters, "EXTENT", values.context)
        if extent.isNull():
            return []
        crs = self.parameterAsExtentCrs(values.parameters, "EXTENT", values.context)
        corners = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
        return ["--aoi=" + ",".join([*(f"{c:.10g}" for c in corners), crs_text(crs)])]

    def _load(self, out: Path, context: core.QgsProcessingContext) -> None:
        """Layers of the folder join the project when the algorithm has finished."""
        project = context.project() or QgsProject.instance()
        for file in [*sorted(out.rglob("*.tif")), *sorted(out.rglob("*.gpkg"))]:
            kind = QgsRasterLayer if file.suffix == ".tif" else QgsVectorLayer
            layer = kind(str(file), f"{out.name} – {file.stem}")
            if layer.isValid():
                context.temporaryLayerStore().addMapLayer(layer)
                details = core.QgsProcessingContext.LayerDetails(layer.name(), project, layer.name())
                context.addLayerToLoadOnCompletion(layer.id(), details)
