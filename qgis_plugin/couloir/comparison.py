"""Two runs side by side (`couloir diff`): the engine makes maps and page, here they come to the layer tree."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from qgis.core import QgsLayerTreeGroup, QgsProject

from . import layers, results
from .i18n import tr

PAGE = "difference.html"
SHOWN = "kinetic_energy_kj_p95"


@dataclass(frozen=True)
class Comparison:
    """What the engine made of a first run (A) and a second one (B)."""

    first: results.Run
    second: results.Run
    folder: Path

    @property
    def page(self) -> Path:
        return self.folder / PAGE

    def arguments(self) -> list[str]:
        return ["diff", str(self.first.folder), str(self.second.folder), "--out", str(self.folder), "--progress", "json"]

    def load(self, project: QgsProject) -> QgsLayerTreeGroup:
        """The maps, styled by the engine, in a group of their own."""
        title = tr("Comparison: {} → {}").format(self.first.name, self.second.name)
        group = project.layerTreeRoot().insertGroup(0, results.unused_name(title, project))
        group.setExpanded(True)
        inner: dict[str, QgsLayerTreeGroup] = {"": group}
        for made in json.loads((self.folder / "difference.json").read_text("utf-8"))["layers"]:
            name, variant = made["layer"], made["group"]
            layer = layers.raster(self.folder / made["file"], made["title"])
            if not layer.isValid():
                continue
            if variant not in inner:
                inner[variant] = group.addGroup(variant)
            project.addMapLayer(layer, False)
            node = inner[variant].addLayer(layer)
            node.setItemVisibilityChecked(name == SHOWN)
            node.setExpanded(name == SHOWN)
        return group
