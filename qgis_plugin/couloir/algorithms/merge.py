"""Merge runs: parts computed on several machines become one run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputFolder,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterMultipleLayers,
)

from .. import results
from ..export import Unusable
from .base import CouloirAlgorithm, removed_on_failure


class MergeRuns(CouloirAlgorithm):
    ID = "merge"
    ICON = "merge"

    def title(self) -> str:
        return self.tr("Merge runs")

    def help(self) -> str:
        return self.tr(
            "Joins the parts of a run that were computed separately (couloir run --shard i/n, on several machines say) into "
            "the very run that one machine would have made. Parts of other projects, seeds or engine versions "
            "are refused. Name "
            "any file of each part's folder, or the folder itself."
        )

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        files = QgsProcessing.SourceType.TypeFile
        self.addParameter(QgsProcessingParameterMultipleLayers("PARTS", self.tr("Parts"), files))
        self.addParameter(QgsProcessingParameterBoolean("LOAD", self.tr("Load and style the results"), True))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", self.tr("Run folder")))
        self.addOutput(QgsProcessingOutputFolder("RUN", self.tr("Run folder")))

    def compute(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        parts = [_part(Path(text)) for text in self.parameterAsFileList(parameters, "PARTS", context)]
        if len(parts) < 2:
            raise Unusable(self.tr("Name at least two parts."))
        out = Path(self.parameterAsString(parameters, "OUTPUT", context)) / "run"
        with removed_on_failure(out.parent), removed_on_failure(out):
            self.run_engine(["merge", *map(str, parts), "--out", str(out), "--progress", "json"], feedback)
        self._run_to_load = out if self.parameterAsBool(parameters, "LOAD", context) else None
        return {"OUTPUT": str(out.parent), "RUN": str(out)}

    def postProcessAlgorithm(self, context: QgsProcessingContext, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        if getattr(self, "_run_to_load", None) is not None:
            results.show(results.read(self._run_to_load), context.project())
        return {}


def _part(place: Path) -> Path:
    """The part's folder, also when a file inside it was chosen."""
    folder = place if place.is_dir() else place.parent
    return folder.parent if folder.name == "shard" else folder
