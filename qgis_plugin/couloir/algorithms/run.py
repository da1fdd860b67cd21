"""Run rockfall simulation: from a project file, or straight from layers."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputFile,
    QgsProcessingOutputFolder,
    QgsProcessingParameterRasterLayer,
)

from .. import engine, presets, results
from ..documents import applied, blank
from ..export import Unusable, check_dem, raster_file, vector_file
from ..rerun import write as write_document
from .base import CouloirAlgorithm
from .parameters import (
    ANY_GEOMETRY,
    LINE,
    POLYGON,
    Values,
    advanced,
    attribute,
    choice,
    features,
    file,
    flag,
    load_results,
    new_folder,
    number,
    text,
)

#: Parameters and the panel's names of what they set.
NUMBERS = {
    "SIZE": "size", "DENSITY": "density", "SPACING": "spacing", "MIN_SLOPE": "min_slope", "RELEASE_HEIGHT": "release_height",
    "BARRIER_HEIGHT": "barrier_height", "BARRIER_CAPACITY": "barrier_capacity", "POINTS_EVERY": "points_every",
}  # fmt: skip
ATTRIBUTES = {
    "SIZE_FIELD": "size_attribute", "FREQUENCY_FIELD": "frequency_attribute", "GROUND_FIELD": "ground_attribute",
    "FOREST_FIELD": "forest_attribute",
}  # fmt: skip
VECTORS = ("RELEASE", "GROUND", "FOREST", "BARRIERS", "LINES")


class RunSimulation(CouloirAlgorithm):
    ID = "run"

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

    def declare(self) -> list[Any]:
        tr = self.tr
        shapes, formats = presets.shapes(), presets.trajectory_formats()
        ground = [presets.ground_label(row) for row in presets.ground()]
        forest = [presets.forest_label(row) for row in presets.forest()]
        return [
            file("PROJECT", tr("Project file"), tr("Couloir project (*.yaml *.yml)")),
            QgsProcessingParameterRasterLayer("DEM", tr("Elevation model (DEM)"), optional=True),
            features("RELEASE", tr("Release areas"), ANY_GEOMETRY),
            choice("SHAPE", tr("Rock shape"), shapes, shapes.index(presets.USUAL_SHAPE)),
            choice("SIZE_KIND", tr("Size is a"), [tr("volume (m³)"), tr("mass (kg)")]),
            number("SIZE", tr("Rock size"), 1.0, least=1e-6),
            attribute("SIZE_FIELD", tr("… or attribute with the size"), "RELEASE"),
            choice("GROUND_CLASS", tr("Ground where no polygon says otherwise"), ground, 3),
            features("GROUND", tr("Ground polygons"), POLYGON),
            attribute("GROUND_FIELD", tr("Ground class attribute"), "GROUND"),
            choice("FOREST_CLASS", tr("Forest where no polygon says otherwise"), forest),
            features("FOREST", tr("Forest polygons"), POLYGON),
            attribute("FOREST_FIELD", tr("Forest class attribute"), "FOREST"),
            features("BARRIERS", tr("Barriers"), LINE),
            number("BARRIER_HEIGHT", tr("Barrier height (m)"), 4.0, least=0.1),
            number("BARRIER_CAPACITY", tr("Barrier capacity (kJ)"), 1000.0, least=1.0),
            features("LINES", tr("Recording lines (roads, planned barriers)"), LINE),
            number("ROCKS", tr("Rocks per release position"), 10, least=1, whole=True),
            number("SPACING", tr("Spacing of release positions (m)"), least=0.01),
            number("SEED", tr("Seed (empty: the project's, or 1)"), least=0, whole=True),
            advanced(file("POINT_CLOUD", tr("Point cloud of the rock (.xyz, .csv, .stl, .obj)"))),
            advanced(number("DENSITY", tr("Rock density (kg/m³)"), 2700.0, least=100.0)),
            advanced(number("MIN_SLOPE", tr("Release only cells steeper than (°)"), least=0, most=90)),
            advanced(number("RELEASE_HEIGHT", tr("Release height above ground (m)"), 0.5, least=0.0)),
            advanced(attribute("FREQUENCY_FIELD", tr("Attribute with rocks per year"), "RELEASE")),
            advanced(choice("SCHEME", tr("Hazard classification"), [tr("none"), *presets.schemes()])),
            advanced(number("TIME_STEP", tr("Time step (s)"), 0.002, least=1e-5, most=0.1)),
            advanced(number("POINTS_EVERY", tr("Points along trajectories every (s), for animation"), least=0.01)),
            advanced(number("LIMIT", tr("Only this many rocks, for a quick look"), least=1, whole=True)),
            advanced(choice("STATISTICS", tr("Maps to write"), [tr("the useful dozen"), tr("everything")])),
            advanced(choice("FORMATS", tr("Formats of the trajectories"), formats, [formats.index("geopackage")])),
            advanced(text("TITLE", tr("Title"))),
            advanced(flag("OVERWRITE", tr("Replace an earlier run in the output folder"), False)),
            load_results(),
            new_folder("OUTPUT", tr("Output folder")),
            QgsProcessingOutputFolder("RUN", tr("Run folder")),
            QgsProcessingOutputFile("REPORT", tr("Report")),
        ]

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        out, overwrite = values.path("OUTPUT"), values.flag("OVERWRITE")
        run_folder, inputs = out / "run", out / "inputs"
        if (run_folder / "manifest.json").exists() and not overwrite:
            raise QgsProcessingException(
                self.tr("“{}” holds a finished run; choose another folder or tick “Replace an earlier run”.").format(out)
            )
        project = values.optional_path("PROJECT")
        made_here: list[Path] = [] if out.exists() else [out]
        try:
            if project is None:
                if inputs.exists():
                    shutil.rmtree(inputs)
                else:
                    made_here.append(inputs)
                inputs.mkdir(parents=True)
                project = self._project(values, inputs)
            arguments = ["run", str(project), "--out", str(run_folder), "--progress", "json"]
            if overwrite:
                arguments.append("--overwrite")
            for key, option in (("SEED", "--seed"), ("LIMIT", "--limit")):
                if values.has(key):
                    arguments += [option, str(values.whole(key))]
            self.run_engine(arguments, feedback)
        except (engine.EngineError, Unusable):
            # Nothing half-made stays behind; a checkpoint of a cancelled run would be of no use here.
            if not (run_folder / "manifest.json").exists():
                shutil.rmtree(run_folder, ignore_errors=True)
            for place in made_here:
                shutil.rmtree(place, ignore_errors=True)
            raise
        if values.flag("LOAD"):
            self._run_to_load = run_folder
        return {"OUTPUT": str(out), "RUN": str(run_folder), "REPORT": str(run_folder / "report.html")}

    def postProcessAlgorithm(self, context: QgsProcessingContext, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        """Back on the main thread: the layer tree may be changed."""
        folder = getattr(self, "_run_to_load", None)
        if folder is not None:
            results.show(results.read(folder), context.project())
        return {}

    def _project(self, values: Values, folder: Path) -> Path:
        """Exports the layers and writes a project file as the panel would."""
        dem, release = values.raster("DEM"), values.source("RELEASE")
        if dem is None or release is None:
            raise Unusable(self.tr("Give a project file, or a DEM and release areas."))
        check_dem(dem)
        for key in ("GROUND", "FOREST"):
            source = values.source(key)
            if source is not None and not values.text(f"{key}_FIELD"):
                raise Unusable(self.tr("Choose the attribute that holds the class of “{}”.").format(source.sourceName()))
        given = {
            "title": values.text("TITLE") or dem.name(),
            "shape": presets.shapes()[values.choice("SHAPE")],
            "point_cloud": str(values.optional_path("POINT_CLOUD") or ""),
            "size_key": ("volume_m3", "mass_kg")[values.choice("SIZE_KIND")],
            "rocks_per_position": values.whole("ROCKS"),
            "ground_default": presets.ground()[values.choice("GROUND_CLASS")]["name"],
            "forest_default": presets.forest()[values.choice("FOREST_CLASS")]["name"],
            "scheme": [None, *presets.schemes()][values.choice("SCHEME")],
            "seed": values.whole("SEED") if values.has("SEED") else 1,
            **{name: values.number(key) or 0.0 for key, name in NUMBERS.items()},
            **{name: values.text(key) or None for key, name in ATTRIBUTES.items()},
        }

        def export(name: str) -> Path | None:
            if name == "dem":
                return raster_file(dem, folder, name, keep=True)
            source = values.source(name.upper())
            return None if source is None else vector_file(source, folder, name)

        layers = {"dem", *(key.lower() for key in VECTORS if values.source(key) is not None)}
        document = applied(blank(), {}, given, layers, export)
        document["simulation"]["time_step_s"] = values.number("TIME_STEP")
        formats = presets.trajectory_formats()
        document["outputs"]["trajectories"] = [formats[i] for i in values.choices("FORMATS")] or ["geopackage"]
        if values.choice("STATISTICS"):
            document["statistics"] = {"layers": ["all"]}
        return write_document(document, folder, folder, copy=True)
