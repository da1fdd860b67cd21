"""Merge runs: parts computed on several machines become one run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import QgsProcessingFeedback

from .. import results
from ..errors import Unusable
from ..i18n import tr
from ..run_folders import new_run
from .base import CouloirAlgorithm
from .parameters import Values


class MergeRuns(CouloirAlgorithm):
    ID = "merge"

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        # qgis_process takes a list as one word with semicolons, too.
        parts = [_part(Path(place)) for text in values["PARTS"] for place in text.split(";") if place.strip()]
        if len(parts) < 2:
            raise Unusable(tr("Name at least two parts."))
        with new_run(values["OUTPUT"]) as (_, out):
            self.run_engine(["merge", *map(str, parts), "--out", str(out), "--progress", "json"], feedback)
        if values["LOAD"]:
            self.load = lambda project: results.load(results.read(out), project)
        return {"OUTPUT": str(out.parent), "RUN": str(out)}


def _part(place: Path) -> Path:
    """The part's folder, also when a file inside it was chosen."""
    folder = place.absolute() if place.is_dir() else place.absolute().parent
    return folder.parent if folder.name == "shard" else folder
