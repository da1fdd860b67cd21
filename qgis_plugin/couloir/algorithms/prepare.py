"""Prepare project area: from any DEMs and layers to a run-ready folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputFile,
    QgsProcessingParameterCrs,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)

from ..export import Unusable, check_heights, crs_text, raster_file, vector_file
from .base import CouloirAlgorithm, advanced, removed_on_failure

POLYGON = QgsProcessing.SourceType.TypeVectorPolygon
ANY_GEOMETRY = QgsProcessing.SourceType.TypeVectorAnyGeometry


class PrepareArea(CouloirAlgorithm):
    ID = "prepare"
    ICON = "prepare"

    def title(self) -> str:
        return self.tr("Prepare project area")

    def help(self) -> str:
        return self.tr(
            "Mosaics, clips, reprojects and mends elevation models, aligns ground, forest and other layers to their grid and "
            "writes a folder that is ready to run.\n\n"
            "DEMs may be tiles in different coordinate reference systems (CRS), also in degrees; where they overlap, the first "
            "one counts. The area is a polygon layer or an extent; the run-out buffer (m) is added around it. Without a "
            "target CRS the DEM's own is kept if it is in metres, else the local UTM zone is taken.\n\n"
            "Ground and forest polygons need an attribute with the class: ground extra_soft, soft, medium_soft, medium, "
            "medium_hard, hard, extra_hard, snow; forest open, medium, dense."
        )

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        tr = self.tr
        self.addParameter(
            QgsProcessingParameterMultipleLayers(
                "DEM", tr("Elevation model (one or several)"), QgsProcessing.SourceType.TypeRaster
            )
        )
        self.addParameter(QgsProcessingParameterCrs("DEM_CRS", tr("CRS of DEMs that do not say theirs"), optional=True))
        self.addParameter(QgsProcessingParameterFeatureSource("AREA", tr("Area polygon"), [POLYGON], optional=True))
        self.addParameter(QgsProcessingParameterExtent("EXTENT", tr("… or extent"), optional=True))
        number = QgsProcessingParameterNumber.Type.Double
        self.addParameter(QgsProcessingParameterNumber("BUFFER", tr("Run-out buffer (m)"), number, 200.0, minValue=0.0))
        self.addParameter(QgsProcessingParameterFeatureSource("RELEASE", tr("Release areas"), [ANY_GEOMETRY], optional=True))
        self.addParameter(QgsProcessingParameterFeatureSource("GROUND", tr("Ground polygons"), [POLYGON], optional=True))
        self.addParameter(
            QgsProcessingParameterField("GROUND_FIELD", tr("Ground class attribute"), None, "GROUND", optional=True)
        )
        self.addParameter(QgsProcessingParameterFeatureSource("FOREST", tr("Forest polygons"), [POLYGON], optional=True))
        self.addParameter(
            QgsProcessingParameterField("FOREST_FIELD", tr("Forest class attribute"), None, "FOREST", optional=True)
        )
        self.addParameter(QgsProcessingParameterCrs("CRS", tr("Target CRS (metric)"), optional=True))
        self.addParameter(QgsProcessingParameterNumber("CELL", tr("Cell size (m)"), number, None, optional=True, minValue=0.01))
        self.addParameter(
            advanced(QgsProcessingParameterString("FILL", tr("Fill nodata holes up to (cells, or metres as 20m)"), "10"))
        )
        self.addParameter(
            advanced(QgsProcessingParameterString("CODES", tr("What codes mean, e.g. ground:1=hard,2=soft"), optional=True))
        )
        self.addParameter(
            advanced(
                QgsProcessingParameterMultipleLayers(
                    "PARAMETERS",
                    tr("Parameter rasters, each named like its parameter (mu_min, mu_max, …)"),
                    QgsProcessing.SourceType.TypeRaster,
                    optional=True,
                )
            )
        )
        self.addParameter(
            advanced(
                QgsProcessingParameterFeatureSource(
                    "PARAMETER_POLYGONS", tr("Polygons with parameters"), [POLYGON], optional=True
                )
            )
        )
        self.addParameter(
            advanced(
                QgsProcessingParameterField(
                    "PARAMETER_FIELDS",
                    tr("Attributes to use, each named like its parameter (mu_min, height_m, …)"),
                    None,
                    "PARAMETER_POLYGONS",
                    QgsProcessingParameterField.DataType.Numeric,
                    allowMultiple=True,
                    optional=True,
                )
            )
        )
        self.addParameter(QgsProcessingParameterString("TITLE", tr("Title"), optional=True))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", tr("Project folder")))
        self.addOutput(QgsProcessingOutputFile("PROJECT", tr("Project file")))

    def compute(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        out = Path(self.parameterAsString(parameters, "OUTPUT", context))
        with self.temporary_folder() as folder:
            arguments = ["prepare", "--progress", "json"]
            declared = self.parameterAsCrs(parameters, "DEM_CRS", context)
            for i, layer in enumerate(self.parameterAsLayerList(parameters, "DEM", context)):
                if not isinstance(layer, QgsRasterLayer):
                    raise QgsProcessingException(self.tr("“{}” is not a raster layer.").format(layer.name()))
                check_heights(layer)
                if not layer.crs().isValid() and not declared.isValid():
                    raise Unusable(
                        self.tr("The DEM “{}” has no CRS. Say it in “CRS of DEMs that do not say theirs”.").format(layer.name())
                    )
                arguments += ["--dem", str(raster_file(layer, folder, f"dem_{i}"))]
            if declared.isValid():
                arguments += ["--dem-crs", crs_text(declared)]
            area = self.parameterAsSource(parameters, "AREA", context)
            extent = self.parameterAsExtent(parameters, "EXTENT", context)
            if area is not None:
                arguments += ["--aoi", str(vector_file(area, folder, "area"))]
            elif not extent.isNull():
                crs = self.parameterAsExtentCrs(parameters, "EXTENT", context)
                corners = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
                arguments.append("--aoi=" + ",".join([*(f"{c:.10g}" for c in corners), crs_text(crs)]))
            arguments += ["--buffer", f"{self.parameterAsDouble(parameters, 'BUFFER', context):g}"]
            crs = self.parameterAsCrs(parameters, "CRS", context)
            if crs.isValid():
                arguments += ["--crs", crs_text(crs)]
            cell = self.parameterAsDouble(parameters, "CELL", context)
            if parameters.get("CELL") is not None and cell > 0:
                arguments += ["--cell", f"{cell:g}"]
            arguments += ["--fill-holes", self.parameterAsString(parameters, "FILL", context)]
            for key, name in (("GROUND", "ground"), ("FOREST", "forest")):
                source = self.parameterAsSource(parameters, key, context)
                if source is None:
                    continue
                attribute = self.parameterAsString(parameters, f"{key}_FIELD", context)
                if not attribute:
                    raise Unusable(self.tr("Choose the attribute that holds the class of “{}”.").format(source.sourceName()))
                arguments += ["--layer", f"{name}={vector_file(source, folder, name)}:{attribute}"]
            for layer in self.parameterAsLayerList(parameters, "PARAMETERS", context) or []:
                arguments += ["--layer", f"{layer.name()}={raster_file(layer, folder, layer.name())}"]
            polygons = self.parameterAsSource(parameters, "PARAMETER_POLYGONS", context)
            if polygons is not None:
                attributes = self.parameterAsFields(parameters, "PARAMETER_FIELDS", context)
                if not attributes:
                    raise Unusable(self.tr("Choose the attributes of “{}” to use.").format(polygons.sourceName()))
                file = vector_file(polygons, folder, "parameters")
                for attribute in attributes:
                    arguments += ["--layer", f"{attribute}={file}:{attribute}"]
            codes = self.parameterAsString(parameters, "CODES", context)
            if codes:
                arguments += ["--codes", codes]
            release = self.parameterAsSource(parameters, "RELEASE", context)
            if release is not None:
                arguments += ["--release", str(vector_file(release, folder, "release"))]
            title = self.parameterAsString(parameters, "TITLE", context)
            if title:
                arguments += ["--title", title]
            with removed_on_failure(out):
                self.run_engine([*arguments, "--out", str(out)], feedback)
        project = out / "project.yaml"
        self._load(out, context)
        return {"OUTPUT": str(out), "PROJECT": str(project)}

    def _load(self, out: Path, context: QgsProcessingContext) -> None:
        """Layers of the folder join the project when the algorithm has finished."""
        project = context.project() or QgsProject.instance()
        for file in [*sorted(out.rglob("*.tif")), *sorted(out.rglob("*.gpkg"))]:
            kind = QgsRasterLayer if file.suffix == ".tif" else QgsVectorLayer
            layer = kind(str(file), f"{out.name} – {file.stem}")
            if layer.isValid():
                context.temporaryLayerStore().addMapLayer(layer)
                details = QgsProcessingContext.LayerDetails(layer.name(), project, layer.name())
                context.addLayerToLoadOnCompletion(layer.id(), details)
