"""Run rockfall simulation: from a project file, or straight from layers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsProcessingFeedback

from .. import fields, presets, results
from ..errors import Unusable
from ..export import check_dem, raster_file, vector_file
from ..i18n import noop, tr
from ..project_document import applied, blank
from ..project_file import write
from ..run_folders import new_run
from . import parameters as made
from .base import CouloirAlgorithm
from .parameters import Values, advanced

LAYERS = {"any": made.ANY_GEOMETRY, "line": made.LINE, "polygon": made.POLYGON}
#: Left empty in the toolbox: nothing.
EMPTY = ("spacing", "min_slope", "points_every", "roughness_height")


def parameter(field: fields.Field) -> Any:
    """A field of the panel as a parameter of the toolbox."""
    label = tr(field.label) + (f" ({field.unit})" if field.unit else "")
    if field.kind == "raster":
        found = core.QgsProcessingParameterRasterLayer(field.key, label, optional=True)
    elif field.kind in LAYERS:
        found = made.features(field.key, label, LAYERS[field.kind])
    elif field.kind in ("attribute", "numeric"):
        found = made.attribute(field.key, label, fields.BY_NAME[field.of].key)
    elif field.kind == "choice":
        entries = field.entries()
        table = {"ground_default": "ground", "forest_default": "forest"}.get(field.name)
        names = presets.labels(table) if table else [text for text, _ in entries]
        values = [value for _, value in entries]
        found = made.choice(field.key, label, names, values.index(field.default) if field.default in values else 0)
    elif field.kind in ("number", "whole"):
        default = None if field.name in EMPTY else field.default
        found = made.number(field.key, label, default, field.least, field.most, field.kind == "whole")
    else:
        found = made.file(field.key, label) if field.kind == "file" else made.text(field.key, label)
    found.setHelp(tr(field.tip))
    return advanced(found) if field.expert else found


class RunSimulation(CouloirAlgorithm):
    ID = "run"
    TITLE = noop("Run rockfall simulation")
    HELP = noop(
        "Releases rocks on a DEM, follows each down the slope and maps passages, reach, kinetic energy (kJ), velocity "
        "(m/s) and jump height (m) per cell.\n\n"
        "Give a project file (everything else is then ignored except the output folder and the seed), or layers: a DEM "
        "in a metric CRS and release points, lines or polygons. Any layer works, also filtered, joined or in another CRS; "
        "“selected features only” is respected.\n\n"
        "Rock size is a volume (m³) or a mass (kg), one for all or an attribute of the release layer. "
        "With a classification "
        "scheme and a frequency attribute (rocks per year from each feature), hazard zones are mapped too.\n\n"
        "The output folder must be new or empty. It holds the inputs as used, the project file and the run: it can be "
        "passed on and repeated."
    )

    def declare(self) -> list[Any]:
        tr = self.tr
        formats = presets.names("trajectory_formats")
        usual = [formats.index("geopackage")] if "geopackage" in formats else [0]
        return [
            made.file("PROJECT", tr("Project file"), tr("Couloir project (*.yaml *.yml)"), tr("Instead of layers.")),
            *(parameter(field) for field in fields.FIELDS if field.key),
            made.number("SEED", tr("Seed (empty: the project's, or 1)"), least=0, whole=True),
            advanced(made.number("LIMIT", tr("Only this many rocks, for a quick look"), least=1, whole=True,
                                 tip=tr("Spread evenly over all releases; not a result to hand in."))),
            advanced(made.flag("STABLE", tr("Add rocks until the map has settled"), False)),
            advanced(made.choice("STATISTICS", tr("Maps to write"), [tr("the useful dozen"), tr("everything")])),
            advanced(made.choice("FORMATS", tr("Formats of the trajectories"), formats, usual)),
            advanced(made.flag("OVERWRITE", tr("Replace an earlier run in the output folder"), False,
                               tr("Only a run that this plugin made there; the inputs go beside the earlier ones."))),
            made.load_results(),
            made.new_folder("OUTPUT", tr("Output folder")),
            core.QgsProcessingOutputFolder("RUN", tr("Run folder")),
            core.QgsProcessingOutputFile("REPORT", tr("Report")),
        ]  # fmt: skip

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        out, overwrite = values.folder("OUTPUT"), values.flag("OVERWRITE")
        with new_run(out, overwrite) as (inputs, run):
            project = values.optional_path("PROJECT") or self._project(values, inputs)
            arguments = ["run", str(project), "--out", str(run), "--progress", "json"]
            if overwrite and run.exists():
                arguments.append("--overwrite")
            if values.flag("STABLE"):
                arguments.append("--until-stable")
            for key, option in (("SEED", "--seed"), ("LIMIT", "--limit")):
                if values.has(key):
                    arguments += [option, str(values.whole(key))]
            said = self.run_engine(arguments, feedback).warnings
            for warning in results.read(run).warnings:
                if warning not in said:
                    feedback.pushWarning(warning)
        if values.flag("LOAD"):
            self.load = lambda project: results.load(results.read(run), project)
        return {"OUTPUT": str(out), "RUN": str(run), "REPORT": str(run / "report.html")}

    def _project(self, values: Values, folder: Path) -> Path:
        """Exports the layers and writes a project file as the panel would."""
        dem, release = values.raster("DEM"), values.source("RELEASE")
        if dem is None or release is None:
            raise Unusable(self.tr("Give a project file, or a DEM and release areas."))
        check_dem(dem)
        given, layers = self._given(values), {"dem"}
        for field in fields.FIELDS:
            if field.kind in LAYERS and values.source(field.key) is not None:
                layers.add(field.name)
        for name in ("ground", "forest"):
            if name in layers and not given[f"{name}_attribute"]:
                source = values.source(fields.BY_NAME[name].key)
                raise Unusable(self.tr("Choose the attribute that holds the class of “{}”.").format(source.sourceName()))
        given["title"] = given["title"] or dem.name()
        folder.mkdir(parents=True)

        def export(name: str) -> Path | None:
            if name == "dem":
                return raster_file(dem, folder, name, keep=True)
            return vector_file(values.source(fields.BY_NAME[name].key), folder, name) if name in layers else None

        document = applied(blank(), {}, given, layers, export)
        formats = presets.names("trajectory_formats")
        document["outputs"]["trajectories"] = [formats[i] for i in values.choices("FORMATS")] or ["geopackage"]
        if values.choice("STATISTICS"):
            document["statistics"] = {"layers": ["all"]}
        return write(document, folder, folder, copy=True)

    @staticmethod
    def _given(values: Values) -> dict[str, Any]:
        """What was given, by the panel's names; numbers of classes only where they are edited, which they are not here."""
        given: dict[str, Any] = {}
        for field in fields.FIELDS:
            if not field.key or field.kind in ("raster", *LAYERS):
                continue
            if field.kind == "choice":
                given[field.name] = field.entries()[values.choice(field.key)][1]
            elif field.kind in ("number", "whole"):
                number = values.number(field.key)
                given[field.name] = (int(number or 0) if field.kind == "whole" else number) or 0.0
            elif field.kind == "file":
                given[field.name] = str(values.optional_path(field.key) or "") or None
            else:
                given[field.name] = values.text(field.key) or ("" if field.kind == "text" else None)
        given["roughness_spacing"] = fields.BY_NAME["roughness_spacing"].default
        return {**given, "positions": 0, "scenarios": [], "seed": 1}
