"""The layers of a run as QGIS layers: the engine's list in the manifest says which, in which order, under which titles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsMapLayer, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtGui import QColor


@dataclass(frozen=True)
class Item:
    """A layer to be: an entry of the engine's list."""

    file: Path
    title: str
    groups: tuple[str, ...]
    shown: bool
    scenario: str = ""
    #: Of a scenario's tracks.
    colour: str = ""
    #: What the style is called, and others with their files.
    styles: tuple[tuple[str, Path], ...] = ()

    def make(self) -> QgsMapLayer:
        if self.file.suffix == ".tif":
            return raster(self.file, self.title)
        quoted = self.scenario.replace("'", "''")
        layer = vector(f"{self.file}|subset=\"scenario\" = '{quoted}'" if self.scenario else str(self.file), self.title)
        if self.colour and layer.isValid():
            symbol = core.QgsSymbol.defaultSymbol(layer.geometryType())
            symbol.setColor(QColor(self.colour))
            layer.setRenderer(core.QgsSingleSymbolRenderer(symbol))
        manager = layer.styleManager()
        for number, (name, file) in enumerate(self.styles):
            if number == 0:
                manager.renameStyle(manager.currentStyle(), name)
            elif file.is_file():
                manager.addStyle(name, core.QgsMapLayerStyle(file.read_text("utf-8")))
        return layer


def items(folder: Path, manifest: dict[str, Any], colours: dict[str, str]) -> list[Item]:
    """Everything of the engine's list."""
    found = []
    for entry in manifest.get("layers", []):
        scenario, others = entry.get("scenario", ""), entry.get("styles", [])
        styles = ((entry.get("style"), Path()), *((name, folder / file) for name, file in others)) if others else ()
        groups, colour = tuple(entry["groups"]), colours.get(scenario, "")
        found.append(Item(folder / entry["file"], entry["title"], groups, entry["shown"], scenario, colour, styles))
    return found


def _dressed(layer: QgsMapLayer) -> Any:
    """With the engine's style beside the file, in the language of the run."""
    qml = Path(layer.source().split("|")[0]).with_suffix(".qml")
    if layer.isValid() and qml.is_file():
        layer.loadNamedStyle(str(qml))
    return layer


def raster(file: Path, title: str) -> QgsRasterLayer:
    # Without the default style, for which QGIS would first read the whole raster.
    return _dressed(QgsRasterLayer(str(file), title, "gdal", QgsRasterLayer.LayerOptions(False)))


def vector(source: str, title: str) -> QgsVectorLayer:
    return _dressed(QgsVectorLayer(source, title, "ogr"))


def without_band_name(node: core.QgsLayerTreeLayer) -> int:
    """Hides the legend's line that only says “Band 1”; returns how many lines are left."""
    layer = node.layer()
    count = len(core.QgsMapLayerLegend.defaultRasterLegend(layer).createLayerTreeModelLegendNodes(node)) - 1
    core.QgsMapLayerLegendUtils.setLegendNodeOrder(node, list(range(1, count + 1)))
    return count
