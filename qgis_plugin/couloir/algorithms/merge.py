"""Merge runs: parts computed on several machines become one run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import QgsProcessing, QgsProcessingFeedback, QgsProcessingOutputFolder

from .. import results
from ..errors import Unusable
from ..i18n import noop
from ..run_folders import new_run
from .base import CouloirAlgorithm
from .parameters import Values, load_results, many_layers, new_folder


class MergeRuns(CouloirAlgorithm):
    ID = "merge"
    TITLE = noop("Merge runs")
    HELP = noop(
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
        named = self.parameterAsFileList(values.parameters, "PARTS", values.context)
        # qgis_process takes a list as one word with semicolons, too.
        parts = [_part(Path(place)) for text in named for place in text.split(";") if place.strip()]
        if len(parts) < 2:
            raise Unusable(self.tr("Name at least two parts."))
        with new_run(values.folder("OUTPUT")) as (_, out):
            self.run_engine(["merge", *map(str, parts), "--out", str(out), "--progress", "json"], feedback)
        if values.flag("LOAD"):
            self.load = lambda project: results.load(results.read(out), project)
        return {"OUTPUT": str(out.parent), "RUN": str(out)}


def _part(place: Path) -> Path:
    """The part's folder, also when a file inside it was chosen."""
    folder = place.absolute() if place.is_dir() else place.absolute().parent
    return folder.parent if folder.name == "shard" else folder
