"""The map that fills while rocks fall: the engine writes it anew every few seconds, the panel shows it until the run ends."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from qgis.core import QgsProject, QgsRasterLayer

from ..i18n import tr
from ..layers import raster


class LiveMap:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file: Path | None = None
        self.seen = 0
        self.layer = ""

    def begin(self) -> list[str]:
        """The engine's options."""
        # QGIS may still hold the picture of a run before.
        self.file = Path(tempfile.mkdtemp(dir=self.folder)) / "rocks_so_far.tif"
        return ["--live", str(self.file)]

    def refresh(self) -> None:
        """Shows the newest picture; called whenever the engine says how far it is."""
        try:
            written = self.file.stat().st_mtime_ns if self.file is not None else 0
        except OSError:
            return
        if written == self.seen:
            return
        self.seen = written
        layer = QgsProject.instance().mapLayer(self.layer) if self.layer else None
        if isinstance(layer, QgsRasterLayer):
            layer.dataProvider().reloadData()
            layer.triggerRepaint()
        elif not self.layer:
            layer = raster(self.file, tr("Rocks so far (run under way)"))
            if layer.isValid():
                self.layer = layer.id()
                QgsProject.instance().addMapLayer(layer, False)
                QgsProject.instance().layerTreeRoot().insertLayer(0, layer)

    def end(self) -> None:
        if self.layer and QgsProject.instance().mapLayer(self.layer) is not None:
            QgsProject.instance().removeMapLayer(self.layer)
        if self.file is not None:
            shutil.rmtree(self.file.parent, ignore_errors=True)
        self.file, self.seen, self.layer = None, 0, ""
