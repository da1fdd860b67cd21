"""What all Couloir algorithms share: parameters of the table of tools, the engine call, messages, icons, loading of results."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable

from qgis import core
from qgis.core import QgsProcessingContext, QgsProcessingFeedback
from qgis.PyQt.QtGui import QIcon

from .. import dialogs, engine, fields
from ..errors import Cancelled, EngineError, Unusable, sentence_of
from ..export import check_dem
from ..i18n import tr
from .parameters import Values, parameter

ICONS = Path(__file__).parent.parent / "icons"


class CouloirAlgorithm(core.QgsProcessingAlgorithm):
    """Base class; a subclass names its entry in the table of tools (and its icon) with `ID` and implements `compute`."""

    ID = ""
    NEEDS_ENGINE = True
    #: Set by `compute`: what to do on the main thread afterwards, with the QGIS project.
    load: Callable[[core.QgsProject], Any] | None = None

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        raise NotImplementedError

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        for item in map(parameter, fields.of_tool(self.ID)):
            is_parameter = isinstance(item, core.QgsProcessingParameterDefinition)
            self.addParameter(item) if is_parameter else self.addOutput(item)

    def name(self) -> str:
        return self.ID

    def displayName(self) -> str:
        return tr(fields.TOOLS[self.ID]["title"])

    def shortHelpString(self) -> str:
        return tr(fields.TOOLS[self.ID]["help"])

    def helpUrl(self) -> str:
        return dialogs.GUIDE

    def shortDescription(self) -> str:
        """The first sentence of the help, for tooltips and lists."""
        first = self.shortHelpString().split("\n\n")[0].split(". ")[0]
        return first if first.endswith(".") else f"{first}."

    def icon(self) -> QIcon:
        return QIcon(str(ICONS / f"{self.ID}.svg"))

    def createInstance(self) -> CouloirAlgorithm:
        return type(self)()

    def checkParameterValues(self, parameters: dict[str, Any], context: QgsProcessingContext) -> tuple[bool, str]:
        """Refuses before anything starts, with a button to what helps in the dialog."""
        fine, message = super().checkParameterValues(parameters, context)
        if not fine:
            return fine, message
        obstacle = self.obstacle(parameters, context)
        if obstacle is None:
            return True, ""
        dialogs.offer(self.id(), obstacle)
        return False, obstacle.sentence

    def obstacle(self, parameters: dict[str, Any], context: QgsProcessingContext) -> dialogs.Obstacle | None:
        if self.NEEDS_ENGINE:
            try:
                # Looked for, not started: this is the window's thread.
                engine.locate()
            except EngineError as error:
                return dialogs.Obstacle(error.sentence, "engine")
        dem = self.parameterDefinition("DEM")
        if isinstance(dem, core.QgsProcessingParameterRasterLayer) and not parameters.get("PROJECT"):
            layer = self.parameterAsRasterLayer(parameters, "DEM", context)
            try:
                check_dem(layer) if layer is not None else None
            except Unusable as error:
                given = layer.id() if layer.id() in core.QgsProject.instance().mapLayers() else layer.source()
                return dialogs.Obstacle(str(error), "prepare", {"DEM": [given]})
        return None

    def processAlgorithm(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        try:
            return self.compute(Values(self, parameters, context), feedback)
        except Cancelled:
            feedback.pushInfo(tr("Cancelled."))
            return {}
        except core.QgsProcessingException:
            raise
        except Exception as error:
            if getattr(error, "log", ""):
                feedback.pushInfo(tr("Engine log:") + "\n" + error.log)
            raise core.QgsProcessingException(sentence_of(error)) from None

    def postProcessAlgorithm(self, context: QgsProcessingContext, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        """Back on the main thread: the layer tree may be changed. qgis_process has no project to load anything to."""
        if self.load is not None and context.project() is not None:
            try:
                self.load(context.project())
            except Exception as error:
                feedback.pushWarning(sentence_of(error))
        return {}

    def run_engine(self, arguments: list[str], feedback: QgsProcessingFeedback) -> engine.Result:
        """Runs the engine with progress, rate and ETA in the feedback."""
        found = engine.find()
        feedback.pushInfo(tr("Engine {} ({}), from {}").format(found.version_text, found.path, found.origin))
        feedback.pushCommandInfo(" ".join([found.path.name, *arguments]))

        def line(text: str) -> None:
            if not text.startswith("warning: "):
                feedback.pushConsoleInfo(text)

        def progress(now: engine.Progress) -> None:
            feedback.setProgressText(now.text())

        result = engine.run(found, arguments, feedback, progress, line)
        for warning in result.warnings:
            feedback.pushWarning(warning)
        return result


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is gone afterwards, whatever happens."""
    folder = Path(tempfile.mkdtemp(prefix="couloir-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
