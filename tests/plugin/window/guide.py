"""Runs inside a real QGIS window (`qgis.bin --code`): a new user's path through the valley, filmed as screenshots.

Environment: COULOIR_SITE (folder of the sample), COULOIR_SHOTS (pictures), COULOIR_OUT (runs, map). Writes done.txt at the end.
"""

import os
import traceback
from pathlib import Path

import processing
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsHillshadeRenderer,
    QgsProject,
    QgsRasterDataProvider,
    QgsRasterLayer,
    QgsRectangle,
    QgsTemporalNavigationObject,
    QgsVectorLayer,
)
from qgis.gui import QgsMapTip
from qgis.PyQt.QtCore import QPoint, QTimer
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface, plugins

SITE, SHOTS, OUT = (Path(os.environ[name]) for name in ("COULOIR_SITE", "COULOIR_SHOTS", "COULOIR_OUT"))
dock = None
#: How often the window's event loop came round while results were loaded.
turns = 0


def beat():
    global turns
    if dock is not None and dock.state.text().startswith("Loading"):
        turns += 1


pulse = QTimer()
pulse.timeout.connect(beat)
pulse.start(5)


def dock_named(name):
    return next(found for found in iface.mainWindow().findChildren(QDockWidget) if found.objectName() == name)


def shot(name, widget=None):
    (widget or iface.mainWindow()).grab().save(str(SHOTS / f"{name}.png"))


def layers():
    project = QgsProject.instance()
    iface.mainWindow().setGeometry(0, 0, 1500, 920)
    dock_named("Browser").hide()
    dem = QgsRasterLayer(str(SITE / "dem.tif"), "DEM 2 m")
    dem.setRenderer(QgsHillshadeRenderer(dem.dataProvider(), 1, 315.0, 45.0))
    dem.dataProvider().enableProviderResampling(True)
    dem.dataProvider().setZoomedOutResamplingMethod(QgsRasterDataProvider.ResamplingMethod.Bilinear)
    dem.dataProvider().setMaxOversampling(4)
    dem.setResamplingStage(Qgis.RasterResamplingStage.Provider)
    added = [dem]
    for name in ("ground", "forest", "houses", "lines", "release"):
        added.append(QgsVectorLayer(str(SITE / f"{name}.gpkg"), name.capitalize(), "ogr"))
    project.addMapLayers(added[::-1])
    for layer in added[1:3]:
        project.layerTreeRoot().findLayer(layer).setItemVisibilityChecked(False)
    project.setCrs(QgsCoordinateReferenceSystem("EPSG:2056"))
    iface.mapCanvas().setExtent(QgsRectangle(dem.extent()))
    return {layer.name(): layer for layer in added}


def fill():
    global dock
    found = layers()
    dock = plugins["couloir"].dock
    dock.setUserVisible(True)
    dock.fields["dem"].setLayer(found["DEM 2 m"])
    dock.fields["release"].setLayer(found["Release"])
    dock.fields["size_attribute"].setField("volume_100y_m3")
    dock.fields["frequency_attribute"].setField("frequency_100y")
    dock.fields["lines"].setLayer(found["Lines"])
    dock.fields["ground"].setLayer(found["Ground"])
    dock.fields["ground_attribute"].setField("class")
    dock.fields["forest"].setLayer(found["Forest"])
    dock.fields["forest_attribute"].setField("class")
    dock.fields["rocks_per_position"].setValue(1)
    dock.fields["spacing"].setValue(float(os.environ.get("COULOIR_SPACING", "30")))
    dock.fields["shape"].setCurrentIndex(dock.fields["shape"].findData("equant"))
    scheme = dock.fields["scheme"]
    scheme.setCurrentIndex(scheme.findData("swiss"))
    dock.fields["title"].setText("Valley")
    dock.fields["points_every"].setValue(0.5)
    dock.fields["runs"].setFilePath(str(OUT / "runs"))
    return wait_for(lambda: "Ready to run" in dock.checks.toPlainText(), checked)


def checked():
    for index, name in enumerate(("site", "rocks", "ground", "run")):
        dock.tabs.setCurrentIndex(index)
        iface.mainWindow().repaint()
        shot(f"guide-{index + 1}-{name}")
    dock.start()
    wait_for(lambda: "simulate" in dock.state.text(), running)


def running():
    shot("guide-5-running")
    wait_for(lambda: dock.run_task is None, finished)


def finished():
    QTimer.singleShot(4000, lambda: step(results_shown))


def results_shown():
    shot("guide-6-results")
    point_at_the_line()
    QTimer.singleShot(2500, lambda: step(tip_shown))


def node_named(start):
    return next(node for node in QgsProject.instance().layerTreeRoot().findLayers() if node.name().startswith(start))


def point_at_the_line():
    """The map tip, as if the mouse rested on the recorded road."""
    global tip
    canvas, layer = iface.mapCanvas(), node_named("Recording line").layer()
    iface.setActiveLayer(layer)
    feature = next(layer.getFeatures())
    where = feature.geometry().interpolate(feature.geometry().length() * 0.9).asPoint()
    pixel = canvas.getCoordinateTransform().transform(where)
    tip = QgsMapTip()
    tip.showMapTip(layer, where, QPoint(int(pixel.x()), int(pixel.y())), canvas)


def tip_shown():
    shot("guide-9-tip")
    tip.clear(iface.mapCanvas())
    for start in ("Hazard zones", "Deposits"):
        node_named(start).setItemVisibilityChecked(False)
    node_named("Rocks along").setItemVisibilityChecked(True)
    dock_named("Temporal Controller").show()
    clock = iface.mapCanvas().temporalController()
    clock.setNavigationMode(QgsTemporalNavigationObject.NavigationMode.Animated)
    clock.setCurrentFrameNumber(8)
    QTimer.singleShot(3000, lambda: step(moved))


def moved():
    shot("guide-9-frame")
    iface.mapCanvas().temporalController().setCurrentFrameNumber(24)
    QTimer.singleShot(3000, lambda: step(time_shown))


def time_shown():
    shot("guide-9-time")
    iface.mapCanvas().temporalController().setNavigationMode(QgsTemporalNavigationObject.NavigationMode.NavigationOff)
    dock_named("Temporal Controller").hide()
    run = dock.results_page.runs[0].folder
    dialog = processing.createAlgorithmDialog("couloir:layout", {"RUN": str(run)})
    dialog.show()
    QTimer.singleShot(1500, lambda: step(lambda: layout(dialog, run)))


def layout(dialog, run):
    shot("guide-7-layout-dialog", dialog)
    dialog.close()
    houses = QgsProject.instance().mapLayersByName("Houses")[0]
    (OUT / "turns.txt").write_text(str(turns), encoding="utf-8")
    processing.run(
        "couloir:layout",
        {"RUN": str(run), "TITLE": "Valley", "OFFICE": "Office for natural hazards", "AUTHOR": "A. Muster", "DPI": 150,
         "EXTRA": [houses], "PDF": str(OUT / "map.pdf"), "PNG": str(SHOTS / "guide-8-map.png")},
    )  # fmt: skip
    done("ok")


def wait_for(condition, then, tries=600):
    """Looks again every 200 ms; the window stays alive meanwhile."""
    if condition():
        return step(then)
    if tries == 0:
        return done("waited too long: " + (dock.checks.toPlainText() + dock.state.text() if dock else ""))
    return QTimer.singleShot(200, lambda: wait_for(condition, then, tries - 1))


def step(what):
    try:
        what()
    except Exception:
        done(traceback.format_exc())


def done(text):
    (OUT / "done.txt").write_text(text, encoding="utf-8")
    os._exit(0)


QTimer.singleShot(3000, lambda: step(fill))
