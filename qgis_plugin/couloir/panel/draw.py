"""Draw release areas and barriers on the map: left click adds a corner, right click ends."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

from qgis.core import (
    QgsCoordinateTransform,
    QgsFeature,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.gui import QgsMapCanvas, QgsMapMouseEvent, QgsMapTool, QgsRubberBand
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor, QKeyEvent

from ..i18n import tr

KINDS = {"release": ("Polygon", "#d7301f"), "barriers": ("LineString", "#225ea8")}


def drawing_layer(kind: str) -> QgsVectorLayer:
    """The layer drawings go to: a GeoPackage beside the QGIS project, or in memory while the project is not saved."""
    project = QgsProject.instance()
    title = tr("Release areas (drawn)") if kind == "release" else tr("Barriers (drawn)")
    for layer in project.mapLayersByName(title):
        if isinstance(layer, QgsVectorLayer) and layer.isValid():
            return layer
    crs = project.crs().authid() or "EPSG:4326"
    layer = QgsVectorLayer(f"{KINDS[kind][0]}?crs={crs}&field=name:string", title, "memory")
    if project.homePath():
        file = Path(project.homePath()) / f"couloir_{kind}.gpkg"
        options = QgsVectorFileWriter.SaveVectorOptions()
        options.driverName = "GPKG"
        if not file.exists():
            QgsVectorFileWriter.writeAsVectorFormatV3(layer, str(file), project.transformContext(), options)
        stored = QgsVectorLayer(str(file), title, "ogr")
        layer = stored if stored.isValid() else layer
    symbol = layer.renderer().symbol()
    symbol.setColor(QColor(KINDS[kind][1]))
    if kind == "release":
        symbol.setOpacity(0.5)
    project.addMapLayer(layer)
    return layer


class DrawTool(QgsMapTool):
    def __init__(self, canvas: QgsMapCanvas, kind: str, done: Callable[[QgsVectorLayer], None]) -> None:
        super().__init__(canvas)
        self.kind = kind
        self.done = done
        polygon = kind == "release"
        shape = QgsWkbTypes.GeometryType.PolygonGeometry if polygon else QgsWkbTypes.GeometryType.LineGeometry
        self.corners = 3 if polygon else 2
        self.shape = shape
        self.points: list[QgsPointXY] = []
        self.band = QgsRubberBand(canvas, shape)
        colour = QColor(KINDS[kind][1])
        colour.setAlpha(140)
        self.band.setColor(colour)
        self.band.setWidth(2)
        self.setCursor(Qt.CursorShape.CrossCursor)

    def canvasReleaseEvent(self, event: QgsMapMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.points.append(event.mapPoint())
            self._show(None)
        elif event.button() == Qt.MouseButton.RightButton:
            self.finish()

    def canvasMoveEvent(self, event: QgsMapMouseEvent) -> None:
        if self.points:
            self._show(event.mapPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._clear()
        elif event.key() == Qt.Key.Key_Backspace and self.points:
            self.points.pop()
            self._show(None)
            event.accept()

    def finish(self) -> None:
        """Keeps what was drawn, if it is a shape at all."""
        if len(self.points) >= self.corners:
            polygon = self.kind == "release"
            geometry = QgsGeometry.fromPolygonXY([self.points]) if polygon else QgsGeometry.fromPolylineXY(self.points)
            layer = drawing_layer(self.kind)
            canvas_crs = self.canvas().mapSettings().destinationCrs()
            geometry.transform(QgsCoordinateTransform(canvas_crs, layer.crs(), QgsProject.instance()))
            if QgsWkbTypes.isMultiType(layer.wkbType()):
                geometry.convertToMultiType()
            feature = QgsFeature(layer.fields())
            feature.setGeometry(geometry)
            layer.dataProvider().addFeatures([feature])
            layer.updateExtents()
            layer.triggerRepaint()
            self.done(layer)
        self._clear()

    def deactivate(self) -> None:
        self._clear()
        super().deactivate()

    def _show(self, cursor: QgsPointXY | None) -> None:
        self.band.reset(self.shape)
        for point in [*self.points, *([cursor] if cursor is not None else [])]:
            self.band.addPoint(point)

    def _clear(self) -> None:
        self.points = []
        self.band.reset(self.shape)
