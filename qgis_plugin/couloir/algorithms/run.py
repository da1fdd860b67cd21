"""Run rockfall simulation: from a project file, or straight from layers."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputFile,
    QgsProcessingOutputFolder,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
)

from .. import engine, presets, results
from ..export import Unusable, check_dem, raster_file, vector_file
from ..project_file import Choices
from .base import CouloirAlgorithm, advanced

POLYGON = QgsProcessing.SourceType.TypeVectorPolygon
LINE = QgsProcessing.SourceType.TypeVectorLine
ANY_GEOMETRY = QgsProcessing.SourceType.TypeVectorAnyGeometry


class RunSimulation(CouloirAlgorithm):
    ID = "run"
    ICON = "run"

    def title(self) -> str:
        return self.tr("Run rockfall simulation")

    def help(self) -> str:
        return self.tr(
            "Releases rocks on a DEM, follows each down the slope and maps passages, reach, kinetic energy (kJ), velocity "
            "(m/s) and jump height (m) per cell.\n\n"
            "Give a project file (everything else is then ignored except the output folder and the seed), or layers: a DEM "
            "in a metric CRS and release points, lines or polygons. Any layer works, also filtered, joined or in another CRS; "
            "“selected features only” is respected.\n\n"
            "Rock size is a volume (m³) or a mass (kg), one for all or an attribute of the release layer. "
            "With a classification "
            "scheme and a frequency attribute (rocks per year from each feature), hazard zones are mapped too.\n\n"
            "The output folder holds the inputs as used, the project file and the run: it can be passed on and repeated."
        )

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        tr = self.tr
        integer, real = QgsProcessingParameterNumber.Type.Integer, QgsProcessingParameterNumber.Type.Double
        self.addParameter(
            QgsProcessingParameterFile(
                "PROJECT", tr("Project file"), fileFilter=tr("Couloir project (*.yaml *.yml)"), optional=True
            )
        )
        self.addParameter(QgsProcessingParameterRasterLayer("DEM", tr("Elevation model (DEM)"), optional=True))
        self.addParameter(QgsProcessingParameterFeatureSource("RELEASE", tr("Release areas"), [ANY_GEOMETRY], optional=True))
        shapes, formats = presets.shapes(), presets.trajectory_formats()
        self.addParameter(
            QgsProcessingParameterEnum("SHAPE", tr("Rock shape"), shapes, defaultValue=shapes.index(presets.USUAL_SHAPE))
        )
        self.addParameter(
            QgsProcessingParameterEnum("SIZE_KIND", tr("Size is a"), [tr("volume (m³)"), tr("mass (kg)")], defaultValue=0)
        )
        self.addParameter(QgsProcessingParameterNumber("SIZE", tr("Rock size"), real, 1.0, minValue=1e-6))
        self.addParameter(
            QgsProcessingParameterField("SIZE_FIELD", tr("… or attribute with the size"), None, "RELEASE", optional=True)
        )
        self.addParameter(
            QgsProcessingParameterEnum(
                "GROUND_CLASS",
                tr("Ground where no polygon says otherwise"),
                [presets.ground_label(row) for row in presets.ground()],
                defaultValue=3,
            )
        )
        self.addParameter(QgsProcessingParameterFeatureSource("GROUND", tr("Ground polygons"), [POLYGON], optional=True))
        self.addParameter(
            QgsProcessingParameterField("GROUND_FIELD", tr("Ground class attribute"), None, "GROUND", optional=True)
        )
        self.addParameter(
            QgsProcessingParameterEnum(
                "FOREST_CLASS",
                tr("Forest where no polygon says otherwise"),
                [presets.forest_label(row) for row in presets.forest()],
                defaultValue=0,
            )
        )
        self.addParameter(QgsProcessingParameterFeatureSource("FOREST", tr("Forest polygons"), [POLYGON], optional=True))
        self.addParameter(
            QgsProcessingParameterField("FOREST_FIELD", tr("Forest class attribute"), None, "FOREST", optional=True)
        )
        self.addParameter(QgsProcessingParameterFeatureSource("BARRIERS", tr("Barriers"), [LINE], optional=True))
        self.addParameter(QgsProcessingParameterNumber("BARRIER_HEIGHT", tr("Barrier height (m)"), real, 4.0, minValue=0.1))
        self.addParameter(
            QgsProcessingParameterNumber("BARRIER_CAPACITY", tr("Barrier capacity (kJ)"), real, 1000.0, minValue=1.0)
        )
        self.addParameter(
            QgsProcessingParameterFeatureSource("LINES", tr("Recording lines (roads, planned barriers)"), [LINE], optional=True)
        )
        self.addParameter(QgsProcessingParameterNumber("ROCKS", tr("Rocks per release position"), integer, 10, minValue=1))
        self.addParameter(
            QgsProcessingParameterNumber(
                "SPACING", tr("Spacing of release positions (m)"), real, None, optional=True, minValue=0.01
            )
        )
        self.addParameter(
            QgsProcessingParameterNumber(
                "SEED", tr("Seed (empty: the project's, or 1)"), integer, None, optional=True, minValue=0
            )
        )
        for parameter in (
            QgsProcessingParameterFile("POINT_CLOUD", tr("Point cloud of the rock (.xyz, .csv, .stl, .obj)"), optional=True),
            QgsProcessingParameterNumber("DENSITY", tr("Rock density (kg/m³)"), real, 2700.0, minValue=100.0),
            QgsProcessingParameterNumber(
                "MIN_SLOPE", tr("Release only cells steeper than (°)"), real, None, optional=True, minValue=0, maxValue=90
            ),
            QgsProcessingParameterNumber("RELEASE_HEIGHT", tr("Release height above ground (m)"), real, 0.5, minValue=0.0),
            QgsProcessingParameterField("FREQUENCY_FIELD", tr("Attribute with rocks per year"), None, "RELEASE", optional=True),
            QgsProcessingParameterEnum("SCHEME", tr("Hazard classification"), [tr("none"), *presets.schemes()], defaultValue=0),
            QgsProcessingParameterNumber("TIME_STEP", tr("Time step (s)"), real, 0.002, minValue=1e-5, maxValue=0.1),
            QgsProcessingParameterNumber(
                "POINTS_EVERY",
                tr("Points along trajectories every (s), for animation"),
                real,
                None,
                optional=True,
                minValue=0.01,
            ),
            QgsProcessingParameterNumber(
                "LIMIT", tr("Only this many rocks, for a quick look"), integer, None, optional=True, minValue=1
            ),
            QgsProcessingParameterEnum(
                "STATISTICS", tr("Maps to write"), [tr("the useful dozen"), tr("everything")], defaultValue=0
            ),
            QgsProcessingParameterEnum(
                "FORMATS",
                tr("Formats of the trajectories"),
                formats,
                allowMultiple=True,
                defaultValue=[formats.index("geopackage")],
            ),
            QgsProcessingParameterString("TITLE", tr("Title"), optional=True),
            QgsProcessingParameterBoolean("OVERWRITE", tr("Replace an earlier run in the output folder"), False),
        ):
            self.addParameter(advanced(parameter))
        self.addParameter(QgsProcessingParameterBoolean("LOAD", tr("Load and style the results"), True))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", tr("Output folder")))
        self.addOutput(QgsProcessingOutputFolder("RUN", tr("Run folder")))
        self.addOutput(QgsProcessingOutputFile("REPORT", tr("Report")))

    def compute(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        out = Path(self.parameterAsString(parameters, "OUTPUT", context))
        overwrite = self.parameterAsBool(parameters, "OVERWRITE", context)
        run_folder, inputs = out / "run", out / "inputs"
        if (run_folder / "manifest.json").exists() and not overwrite:
            raise QgsProcessingException(
                self.tr("“{}” holds a finished run; choose another folder or tick “Replace an earlier run”.").format(out)
            )
        project = self.parameterAsFile(parameters, "PROJECT", context)
        made_here: list[Path] = [] if out.exists() else [out]
        try:
            if project:
                file = Path(project)
            else:
                if inputs.exists():
                    shutil.rmtree(inputs)
                else:
                    made_here.append(inputs)
                inputs.mkdir(parents=True)
                file = self._choices(parameters, context, inputs).write(inputs)
            arguments = ["run", str(file), "--out", str(run_folder), "--progress", "json"]
            if overwrite:
                arguments.append("--overwrite")
            if parameters.get("SEED") is not None:
                arguments += ["--seed", str(self.parameterAsInt(parameters, "SEED", context))]
            if parameters.get("LIMIT") is not None:
                arguments += ["--limit", str(self.parameterAsInt(parameters, "LIMIT", context))]
            self.run_engine(arguments, feedback)
        except (engine.EngineError, Unusable):
            # Nothing half-made stays behind; a checkpoint of a cancelled run would be of no use here.
            if not (run_folder / "manifest.json").exists():
                shutil.rmtree(run_folder, ignore_errors=True)
            for place in made_here:
                shutil.rmtree(place, ignore_errors=True)
            raise
        if self.parameterAsBool(parameters, "LOAD", context):
            self._run_to_load = run_folder
        return {"OUTPUT": str(out), "RUN": str(run_folder), "REPORT": str(run_folder / "report.html")}

    def postProcessAlgorithm(self, context: QgsProcessingContext, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        """Back on the main thread: the layer tree may be changed."""
        folder = getattr(self, "_run_to_load", None)
        if folder is not None:
            results.show(results.read(folder), context.project())
        return {}

    def _choices(self, parameters: dict[str, Any], context: QgsProcessingContext, folder: Path) -> Choices:
        dem = self.parameterAsRasterLayer(parameters, "DEM", context)
        release = self.parameterAsSource(parameters, "RELEASE", context)
        if dem is None or release is None:
            raise Unusable(self.tr("Give a project file, or a DEM and release areas."))
        check_dem(dem)
        optional = self._optional_number(parameters, context)

        def classed(key: str) -> tuple[Path, str] | None:
            source = self.parameterAsSource(parameters, key, context)
            if source is None:
                return None
            attribute = self.parameterAsString(parameters, f"{key}_FIELD", context)
            if not attribute:
                raise Unusable(self.tr("Choose the attribute that holds the class of “{}”.").format(source.sourceName()))
            return vector_file(source, folder, key.lower()), attribute

        def lines(key: str) -> Path | None:
            source = self.parameterAsSource(parameters, key, context)
            return None if source is None else vector_file(source, folder, key.lower())

        cloud = self.parameterAsFile(parameters, "POINT_CLOUD", context)
        return Choices(
            dem=raster_file(dem, folder, "dem", keep=True),
            release=vector_file(release, folder, "release"),
            title=self.parameterAsString(parameters, "TITLE", context) or dem.name(),
            shape=presets.shapes()[self.parameterAsEnum(parameters, "SHAPE", context)],
            point_cloud=Path(cloud) if cloud else None,
            size_key=("volume_m3", "mass_kg")[self.parameterAsEnum(parameters, "SIZE_KIND", context)],
            size=self.parameterAsDouble(parameters, "SIZE", context),
            size_attribute=self.parameterAsString(parameters, "SIZE_FIELD", context) or None,
            density=self.parameterAsDouble(parameters, "DENSITY", context),
            rocks_per_position=self.parameterAsInt(parameters, "ROCKS", context),
            spacing=optional("SPACING"),
            min_slope=optional("MIN_SLOPE"),
            release_height=self.parameterAsDouble(parameters, "RELEASE_HEIGHT", context),
            frequency_attribute=self.parameterAsString(parameters, "FREQUENCY_FIELD", context) or None,
            ground_default=presets.ground()[self.parameterAsEnum(parameters, "GROUND_CLASS", context)]["name"],
            ground=classed("GROUND"),
            forest_default=presets.forest()[self.parameterAsEnum(parameters, "FOREST_CLASS", context)]["name"],
            forest=classed("FOREST"),
            barriers=lines("BARRIERS"),
            barrier_height=self.parameterAsDouble(parameters, "BARRIER_HEIGHT", context),
            barrier_capacity=self.parameterAsDouble(parameters, "BARRIER_CAPACITY", context),
            lines=lines("LINES"),
            scheme=[None, *presets.schemes()][self.parameterAsEnum(parameters, "SCHEME", context)],
            seed=1 if parameters.get("SEED") is None else self.parameterAsInt(parameters, "SEED", context),
            time_step=self.parameterAsDouble(parameters, "TIME_STEP", context),
            points_every=optional("POINTS_EVERY"),
            layers=["all"] if self.parameterAsEnum(parameters, "STATISTICS", context) else [],
            formats=[presets.trajectory_formats()[i] for i in self.parameterAsEnums(parameters, "FORMATS", context)]
            or ["geopackage"],
        )

    def _optional_number(self, parameters: dict[str, Any], context: QgsProcessingContext) -> Any:
        def number(key: str) -> float | None:
            return self.parameterAsDouble(parameters, key, context) if parameters.get(key) is not None else None

        return number
