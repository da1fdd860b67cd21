"""A new user's path through the valley in a real QGIS window, filmed as screenshots (those of docs/user-guide.md)."""

import os
import sys

sys.path.insert(0, os.environ["COULOIR_WINDOW"])
import processing
from couloir import dialogs
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsHillshadeRenderer,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsTemporalNavigationObject,
    QgsVectorLayer,
)
from qgis.gui import QgsMapTip
from qgis.PyQt.QtCore import QPoint, QTimer
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface, plugins
from steps import OUT, SHOTS, SITE, answers, begin

SPACING = float(os.environ.get("COULOIR_SPACING", "30"))
NAME = os.environ.get("COULOIR_PICTURES", "guide")
#: How often the window's event loop came round while results were loaded, and its longest pause (ms).
turns = []


def dock_named(name):
    return next(found for found in iface.mainWindow().findChildren(QDockWidget) if found.objectName() == name)


def shot(name, widget=None):
    (widget or iface.mainWindow()).grab().save(str(SHOTS / f"{NAME}-{name}.png"))


def drawn():
    """Waits until the map shows what it should."""
    canvas, done = iface.mapCanvas(), []
    canvas.mapCanvasRefreshed.connect(lambda: done.append(True))
    canvas.refresh()
    yield lambda: bool(done) and not canvas.isDrawing()


def layers():
    project = QgsProject.instance()
    iface.mainWindow().setGeometry(0, 0, 1500, 920)
    dock_named("Browser").hide()
    dem = QgsRasterLayer(str(SITE / "dem.tif"), "DEM")
    dem.setRenderer(QgsHillshadeRenderer(dem.dataProvider(), 1, 315.0, 45.0))
    added = [dem]
    for name in ("ground", "forest", "houses", "lines", "release"):
        added.append(QgsVectorLayer(str(SITE / f"{name}.gpkg"), name.capitalize(), "ogr"))
    project.addMapLayers(added[::-1])
    for layer in added[1:3]:
        project.layerTreeRoot().findLayer(layer).setItemVisibilityChecked(False)
    project.setCrs(QgsCoordinateReferenceSystem(dem.crs()))
    iface.mapCanvas().setExtent(QgsRectangle(dem.extent()))
    return {layer.name(): layer for layer in added}


def fill(dock):
    found, boxes = layers(), dock.fields
    boxes["dem"].setLayer(found["DEM"])
    for name in ("release", "lines", "ground", "forest"):
        boxes[name].setLayer(found[name.capitalize()])
    for name in ("ground", "forest"):
        boxes[f"{name}_attribute"].setField("class")
    dock.scenarios.restore(
        [
            {"name": f"{years} years", "size": f"volume_{years}y_m3", "years": str(years), "per_year": f"frequency_{years}y"}
            for years in (30, 100, 300)
        ]
    )
    boxes["rocks_per_position"].setValue(1)
    boxes["spacing_m"].setValue(SPACING)
    boxes["shape"].setCurrentIndex(boxes["shape"].findData("natural"))
    boxes["scheme"].setCurrentIndex(boxes["scheme"].findData("swiss"))
    boxes["title"].setText("Valley")
    # A whole study would run until the map has settled; pictures need few rocks.
    dock.run_controls.stable.setChecked(False)
    boxes["points_every_s"].setValue(0.5)
    boxes["runs"].setFilePath(str(OUT / "runs"))


def story():
    dock = plugins["couloir"].dock
    state = dock.run_controls.state
    dock.setUserVisible(True)
    fill(dock)
    yield lambda: bool(dock.run_controls.estimate.text())
    answers["checks"] = dock.checks.toPlainText()
    for index, name in enumerate(("site", "rocks", "ground", "run")):
        dock.tabs.setCurrentIndex(index)
        yield dock.pages[index].isVisible
        yield from drawn()
        shot(f"{index + 1}-{name}")
    pulse = QTimer()
    pulse.timeout.connect(lambda: turns.append(1) if dock.results_page is not None and "run" not in dock.tasks else None)
    pulse.start(5)
    dock.run_controls.run_button.click()
    yield lambda: dock.run_controls.progress.value() > 0
    shot("5-running")
    yield lambda: "run" not in dock.tasks
    turns.clear()
    yield lambda: dock.tabs.currentIndex() == len(dock.pages)
    answers["turns"], answers["state"] = len(turns), state.text()
    pulse.stop()
    yield from drawn()
    shot("6-results")
    yield from map_tip()
    yield from in_time()
    yield from sheet(dock)


def node_named(*starts):
    nodes = QgsProject.instance().layerTreeRoot().findLayers()
    return next((node for start in starts for node in nodes if start in node.layer().source()), None)


def map_tip():
    """The map tip, as if the mouse rested on the recorded road."""
    canvas, layer = iface.mapCanvas(), node_named("lines/lines.gpkg").layer()
    answers["lines"] = sum(feature["crossings"] > 0 for feature in layer.getFeatures())
    iface.setActiveLayer(layer)
    feature = next(feature for feature in layer.getFeatures() if feature["crossings"] > 0)
    where = feature.geometry().interpolate(feature.geometry().length() * 0.9).asPoint()
    pixel = canvas.getCoordinateTransform().transform(where)
    tip = QgsMapTip()
    tip.showMapTip(layer, where, QPoint(int(pixel.x()), int(pixel.y())), canvas)
    views = [view for view in canvas.findChildren(object) if type(view).__name__ == "QgsWebView"]
    yield lambda: all(view.isVisible() for view in views)
    yield from drawn()
    shot("9-tip")
    tip.clear(canvas)


def in_time():
    for start in ("hazard.gpkg", "deposits"):
        node = node_named(start)
        if node is not None:
            node.setItemVisibilityChecked(False)
    node_named("trajectory_points").setItemVisibilityChecked(True)
    dock_named("Temporal Controller").show()
    clock = iface.mapCanvas().temporalController()
    clock.setNavigationMode(QgsTemporalNavigationObject.NavigationMode.Animated)
    for frame, name in ((8, "9-frame"), (24, "9-time")):
        clock.setCurrentFrameNumber(frame)
        yield from drawn()
        shot(name)
    clock.setNavigationMode(QgsTemporalNavigationObject.NavigationMode.NavigationOff)
    dock_named("Temporal Controller").hide()


def sheet(dock):
    run = dock.results_page.runs[0].folder
    dialog = dialogs.open_tool("layout", {"RUN": str(run)})
    yield dialog.isVisible
    shot("7-layout-dialog", dialog)
    dialog.close()
    houses = QgsProject.instance().mapLayersByName("Houses")[0]
    processing.run(
        "couloir:layout",
        {"RUN": str(run), "TITLE": "Valley", "OFFICE": "Office for natural hazards", "AUTHOR": "A. Muster", "PLAN": "7-301",
         "DPI": 150, "EXTRA": [houses], "PDF": str(OUT / "map.pdf"), "PNG": str(SHOTS / f"{NAME}-8-map.png")},
    )  # fmt: skip


begin(story)
