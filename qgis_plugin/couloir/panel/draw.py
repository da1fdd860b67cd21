"""Release areas and barriers drawn on the map, with QGIS' own tool: corners snap, undo works, right click ends."""

from __future__ import annotations

from pathlib import Path

from qgis import core
from qgis.core import QgsProject, QgsVectorLayer
from qgis.gui import QgisInterface
from qgis.PyQt.QtGui import QColor

from ..i18n import tr

KINDS = {"release": ("MultiPolygon", "#d7301f"), "barriers": ("MultiLineString", "#225ea8")}


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
        options = core.QgsVectorFileWriter.SaveVectorOptions()
        options.driverName = "GPKG"
        if not file.exists():
            core.QgsVectorFileWriter.writeAsVectorFormatV3(layer, str(file), project.transformContext(), options)
        stored = QgsVectorLayer(str(file), title, "ogr")
        layer = stored if stored.isValid() else layer
    symbol = layer.renderer().symbol()
    symbol.setColor(QColor(KINDS[kind][1]))
    symbol.setOpacity(0.5 if kind == "release" else 1.0)
    form = layer.editFormConfig()
    form.setSuppress(core.QgsEditFormConfig.FeatureFormSuppress.SuppressOn)
    layer.setEditFormConfig(form)
    project.addMapLayer(layer)
    return layer


def draw(kind: str, iface: QgisInterface) -> QgsVectorLayer:
    """Makes the layer ready for drawing; what is drawn counts at once, saved or not."""
    layer = drawing_layer(kind)
    iface.setActiveLayer(layer)
    if not layer.isEditable():
        layer.startEditing()
    iface.actionAddFeature().trigger()
    return layer
