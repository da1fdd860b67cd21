"""What all Couloir algorithms share: the engine call, temporary files, messages, icons."""

from __future__ import annotations

import shutil
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from qgis.core import (
    Qgis,
    QgsMessageLog,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterRasterLayer,
    QgsProject,
)
from qgis.PyQt.QtGui import QIcon

from .. import engine, guidance
from ..export import Unusable, check_dem
from ..i18n import tr
from .parameters import Values

ICONS = Path(__file__).parent.parent / "icons"


class CouloirAlgorithm(QgsProcessingAlgorithm):
    """Base class; a subclass names itself (and its icon) with `ID`, declares its parameters and implements `compute`."""

    ID = ""
    NEEDS_ENGINE = True

    # Subclasses return translated texts.
    def title(self) -> str:
        raise NotImplementedError

    def help(self) -> str:
        raise NotImplementedError

    def declare(self) -> list[Any]:
        """Parameters and outputs."""
        raise NotImplementedError

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        raise NotImplementedError

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        for item in self.declare():
            is_parameter = isinstance(item, QgsProcessingParameterDefinition)
            self.addParameter(item) if is_parameter else self.addOutput(item)

    def name(self) -> str:
        return self.ID

    def displayName(self) -> str:
        return self.title()

    def shortHelpString(self) -> str:
        return self.help()

    def shortDescription(self) -> str:
        """The first sentence of the help, for tooltips and lists."""
        first = self.help().split("\n\n")[0].split(". ")[0]
        return first if first.endswith(".") else f"{first}."

    def icon(self) -> QIcon:
        return QIcon(str(ICONS / f"{self.ID}.svg"))

    def createInstance(self) -> CouloirAlgorithm:
        return type(self)()

    def tr(self, text: str) -> str:
        return tr(text)

    def checkParameterValues(self, parameters: dict[str, Any], context: QgsProcessingContext) -> tuple[bool, str]:
        """Refuses before anything starts, with a button to what helps in the dialog."""
        fine, message = super().checkParameterValues(parameters, context)
        if not fine:
            return fine, message
        obstacle = self.obstacle(parameters, context)
        if obstacle is None:
            return True, ""
        guidance.offer(self.id(), obstacle)
        return False, obstacle.sentence

    def obstacle(self, parameters: dict[str, Any], context: QgsProcessingContext) -> guidance.Obstacle | None:
        if self.NEEDS_ENGINE:
            try:
                engine.find()
            except engine.EngineError as error:
                return guidance.Obstacle(error.sentence, "engine")
        dem = self.parameterDefinition("DEM")
        if isinstance(dem, QgsProcessingParameterRasterLayer) and not parameters.get("PROJECT"):
            layer = self.parameterAsRasterLayer(parameters, "DEM", context)
            if layer is not None:
                try:
                    check_dem(layer)
                except Unusable as error:
                    given = layer.id() if layer.id() in QgsProject.instance().mapLayers() else layer.source()
                    return guidance.Obstacle(str(error), "prepare", {"DEM": [given]})
        return None

    def processAlgorithm(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        try:
            return self.compute(Values(self, parameters, context), feedback)
        except engine.Cancelled:
            feedback.pushInfo(self.tr("Cancelled."))
            return {}
        except engine.EngineError as error:
            if error.log:
                feedback.pushInfo(self.tr("Engine log:") + "\n" + error.log)
            raise QgsProcessingException(error.sentence) from None
        except Unusable as error:
            raise QgsProcessingException(str(error)) from None
        except OSError as error:
            raise QgsProcessingException(
                self.tr("{}: {}. Check the path, free space and permissions.").format(
                    error.filename or "", error.strerror or error
                )
            ) from None
        except QgsProcessingException:
            raise
        except Exception as error:  # a bug of ours: the user gets a sentence, the log panel the rest
            QgsMessageLog.logMessage(traceback.format_exc(), "Couloir", Qgis.MessageLevel.Critical)
            raise QgsProcessingException(
                self.tr("The plugin met an internal error ({}); please report it with the log panel's “Couloir” tab.").format(
                    error
                )
            ) from None

    def run_engine(self, arguments: list[str], feedback: QgsProcessingFeedback) -> engine.Result:
        """Runs the engine with progress, rate and ETA in the feedback."""
        found = engine.find()
        feedback.pushInfo(self.tr("Engine {} ({}), from {}").format(found.version_text, found.path, found.origin))
        feedback.pushCommandInfo(" ".join([found.path.name, *arguments]))

        def message(values: dict[str, Any]) -> None:
            for warning in values.get("warnings", []):
                warn(str(warning))
            rate, eta = values.get("rate"), values.get("eta_s")
            text = str(values.get("stage", ""))
            if isinstance(rate, (int, float)) and rate > 0:
                text += self.tr(", {:.0f} rocks/s").format(rate)
            if isinstance(eta, (int, float)):
                text += self.tr(", {} left").format(duration(eta))
            feedback.setProgressText(text)

        said: set[str] = set()

        def warn(sentence: str) -> None:
            if sentence not in said:
                said.add(sentence)
                feedback.pushWarning(sentence)

        def line(text: str) -> None:
            if text.startswith("warning: "):
                warn(text[len("warning: ") :])
            else:
                feedback.pushConsoleInfo(text)

        return engine.run(found, arguments, feedback, message, line)

    @contextmanager
    def temporary_folder(self) -> Iterator[Path]:
        """A folder that is gone afterwards, whatever happens."""
        folder = Path(tempfile.mkdtemp(prefix="couloir-"))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def removed_on_failure(folder: Path) -> Iterator[None]:
    """A folder that was made for a result does not stay behind half-filled; one that was there before is left alone."""
    made = not folder.exists()
    try:
        yield
    except Exception:
        if made:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def duration(seconds: float) -> str:
    if seconds < 1:
        return "< 1 s"
    minutes, rest = divmod(int(round(seconds)), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
