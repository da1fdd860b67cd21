"""Runs inside a real QGIS window (`qgis.bin --code`): a new user's path through the valley, filmed as screenshots.

Environment: COULOIR_SITE (folder of the sample), COULOIR_SHOTS (pictures), COULOIR_OUT (runs, map). Writes done.txt at the end.
"""

import os
import traceback
from pathlib import Path

import processing
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer, QgsRectangle, QgsVectorLayer
from qgis.PyQt.QtCore import QTimer
from qgis.utils import iface, plugins

SITE, SHOTS, OUT = (Path(os.environ[name]) for name in ("COULOIR_SITE", "COULOIR_SHOTS", "COULOIR_OUT"))
dock = None


def shot(name, widget=None):
    (widget or iface.mainWindow()).grab().save(str(SHOTS / f"{name}.png"))


def layers():
    project = QgsProject.instance()
    dem = QgsRasterLayer(str(SITE / "dem.tif"), "DEM 2 m")
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
    dock.setMinimumWidth(430)
    dock.site.fields["dem"].setLayer(found["DEM 2 m"])
    dock.site.fields["release"].setLayer(found["Release"])
    dock.site.fields["size_attribute"].setField("volume_100y_m3")
    dock.site.fields["frequency_attribute"].setField("frequency_100y")
    dock.site.fields["lines"].setLayer(found["Lines"])
    dock.ground.fields["ground"].setLayer(found["Ground"])
    dock.ground.fields["ground_attribute"].setField("class")
    dock.ground.fields["forest"].setLayer(found["Forest"])
    dock.ground.fields["forest_attribute"].setField("class")
    dock.rocks.fields["rocks_per_position"].setValue(1)
    dock.rocks.fields["spacing"].setValue(float(os.environ.get("COULOIR_SPACING", "30")))
    dock.rocks.fields["shape"].setCurrentIndex(dock.rocks.fields["shape"].findData("equant"))
    scheme = dock.run_page.fields["scheme"]
    scheme.setCurrentIndex(scheme.findData("swiss"))
    dock.run_page.fields["title"].setText("Valley")
    dock.run_page.fields["runs"].setFilePath(str(OUT / "runs"))
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
    QTimer.singleShot(4000, results_shown)


def results_shown():
    shot("guide-6-results")
    run = dock.results_page.runs[0].folder
    dialog = processing.createAlgorithmDialog("couloir:layout", {"RUN": str(run)})
    dialog.show()
    QTimer.singleShot(1500, lambda: layout(dialog, run))


def layout(dialog, run):
    shot("guide-7-layout-dialog", dialog)
    dialog.close()
    houses = QgsProject.instance().mapLayersByName("Houses")[0]
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
