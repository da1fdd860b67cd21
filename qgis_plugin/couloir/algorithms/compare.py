"""Compare runs: difference maps, what differs in the projects, key figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from qgis.core import QgsProcessingFeedback, QgsProject

from .. import layers, results
from ..i18n import tr
from ..run_folders import removed_on_failure
from .base import CouloirAlgorithm
from .parameters import Values

SHOWN = "kinetic_energy_kj_p95"


class CompareRuns(CouloirAlgorithm):
    ID = "compare"

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        first, second, out = results.read(values["FIRST"]), results.read(values["SECOND"]), values["OUTPUT"]
        with removed_on_failure(out):
            arguments = ["diff", str(first.folder), str(second.folder), "--out", str(out), "--progress", "json"]
            self.run_engine(arguments, feedback)
        if values["LOAD"]:
            title = tr("Comparison: {} → {}").format(first.name, second.name)
            self.load = lambda project: load_differences(out, title, project)
        return {"OUTPUT": str(out), "PAGE": str(out / "difference.html")}


def load_differences(folder: Path, title: str, project: QgsProject) -> None:
    """The maps, styled by the engine, in a group of their own."""
    group = project.layerTreeRoot().insertGroup(0, results.unused_name(title, project))
    group.setExpanded(True)
    for made in json.loads((folder / "difference.json").read_text("utf-8"))["layers"]:
        layer = layers.raster(folder / made["file"], made["title"])
        if layer.isValid():
            project.addMapLayer(layer, False)
            results.place(group, [made["group"]] if made["group"] else [], layer, made["layer"] == SHOWN)
