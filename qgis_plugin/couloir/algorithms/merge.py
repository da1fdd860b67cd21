"""Merge runs: parts computed on several machines become one run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import QgsProcessing, QgsProcessingContext, QgsProcessingFeedback, QgsProcessingOutputFolder

from .. import results
from ..export import Unusable
from .base import CouloirAlgorithm, removed_on_failure
from .parameters import Values, load_results, many_layers, new_folder


class MergeRuns(CouloirAlgorithm):
    ID = "merge"

    def title(self) -> str:
        return self.tr("Merge runs")

    def help(self) -> str:
        return self.tr(
            "Joins the parts of a run that were computed separately (couloir run --shard i/n, on several machines say) into "
            "the very run that one machine would have made. Parts of other projects, seeds or engine versions "
            "are refused. Name "
            "any file of each part's folder, or the folder itself."
        )

    def declare(self) -> list[Any]:
        return [
            many_layers("PARTS", self.tr("Parts"), QgsProcessing.SourceType.TypeFile, optional=False),
            load_results(),
            new_folder("OUTPUT", self.tr("Run folder")),
            QgsProcessingOutputFolder("RUN", self.tr("Run folder")),
        ]

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        parts = [_part(Path(text)) for text in self.parameterAsFileList(values.parameters, "PARTS", values.context)]
        if len(parts) < 2:
            raise Unusable(self.tr("Name at least two parts."))
        out = values.path("OUTPUT") / "run"
        with removed_on_failure(out.parent), removed_on_failure(out):
            self.run_engine(["merge", *map(str, parts), "--out", str(out), "--progress", "json"], feedback)
        self._run_to_load = out if values.flag("LOAD") else None
        return {"OUTPUT": str(out.parent), "RUN": str(out)}

    def postProcessAlgorithm(self, context: QgsProcessingContext, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        if getattr(self, "_run_to_load", None) is not None:
            results.show(results.read(self._run_to_load), context.project())
        return {}


def _part(place: Path) -> Path:
    """The part's folder, also when a file inside it was chosen."""
    folder = place if place.is_dir() else place.parent
    return folder.parent if folder.name == "shard" else folder
