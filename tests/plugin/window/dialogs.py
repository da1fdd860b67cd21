"""Runs inside a real QGIS window: refusals in the toolbox dialog come with a button to what helps; a batch of runs.

Environment: COULOIR_SITE (folder of the sample), COULOIR_SHOTS (pictures), COULOIR_OUT (answers.json at the end).
"""

import json
import os
import traceback
from pathlib import Path

import processing
from couloir import engine
from processing.gui.BatchAlgorithmDialog import BatchAlgorithmDialog
from qgis.core import QgsApplication, QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.gui import QgsProcessingAlgorithmDialogBase
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import QApplication, QMessageBox, QPushButton
from qgis.utils import iface

SITE, SHOTS, OUT = (Path(os.environ[name]) for name in ("COULOIR_SITE", "COULOIR_SHOTS", "COULOIR_OUT"))
answers = {}


def end():
    (OUT / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    os._exit(0)


def step(function):
    def guarded():
        try:
            function()
        except Exception:
            answers["failed"] = traceback.format_exc()
            end()

    return guarded


def close_message_box(name):
    """QGIS shows the sentence in a box of its own first."""
    box = QApplication.activeModalWidget()
    if isinstance(box, QMessageBox):
        answers[f"{name} box"] = box.text()
        box.accept()


def refused(name, parameters):
    """Presses Run in the dialog; returns the buttons of its message bar."""
    dialog = processing.createAlgorithmDialog("couloir:run", parameters)
    dialog.show()
    watch = QTimer()
    watch.timeout.connect(lambda: close_message_box(name))
    watch.start(200)
    dialog.runAlgorithm()
    watch.stop()
    QApplication.processEvents()
    dialog.grab().save(str(SHOTS / f"refusal-{name}.png"))
    buttons = dialog.messageBar().currentItem().findChildren(QPushButton) if dialog.messageBar().currentItem() else []
    answers[f"{name} buttons"] = [button.text() for button in buttons]
    return dialog, buttons


def degrees():
    engine.configure("")
    dem = QgsRasterLayer(str(SITE / "dem.tif"), "Heights in degrees")
    dem.setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    release = QgsVectorLayer(str(SITE / "release.gpkg"), "Release", "ogr")
    QgsProject.instance().addMapLayers([dem, release])
    given = {"DEM": dem.id(), "RELEASE": release.id(), "OUTPUT": str(OUT / "never")}
    dialog, buttons = refused("degrees", given)
    buttons[0].click()
    QApplication.processEvents()
    opened = [
        w
        for w in QApplication.topLevelWidgets()
        if isinstance(w, QgsProcessingAlgorithmDialogBase) and w.isVisible() and w is not dialog
    ]
    answers["opened"] = opened[0].algorithm().id()
    answers["given"] = opened[0].createProcessingParameters()["DEM"]
    opened[0].grab().save(str(SHOTS / "refusal-prepare.png"))
    opened[0].close()
    dialog.close()
    dem.setCrs(QgsCoordinateReferenceSystem())
    dialog, _ = refused("no-crs", given)
    dialog.close()
    dem.setCrs(QgsCoordinateReferenceSystem("EPSG:2056"))
    engine.configure(str(OUT / "nowhere"))
    dialog, _ = refused("no-engine", given)
    dialog.close()
    answers["made"] = (OUT / "never").exists()
    engine.configure("")
    batch()
    end()


def batch():
    """Two rows of the batch table: another seed each."""
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("couloir:run")
    dialog = BatchAlgorithmDialog(algorithm, parent=iface.mainWindow())
    panel = dialog.mainWidget()
    panel.addRow(1)
    for row in range(2):
        for name, value in (("PROJECT", str(SITE / "project.yaml")), ("LIMIT", 2), ("SEED", 10 + row), ("LOAD", False)):
            panel.wrappers[row][panel.parameter_to_column[name]].setParameterValue(value, panel.processing_context)
        panel.tblParameters.cellWidget(row + 1, panel.parameter_to_column["OUTPUT"]).setValue(str(OUT / f"Reihe {row}"))
    dialog.show()
    dialog.runAlgorithm()
    # Newer QGIS runs a batch in the background.
    made = [OUT / f"Reihe {row}" / "run" / "manifest.json" for row in range(2)]
    while not all(file.is_file() for file in made):
        QApplication.processEvents()
    dialog.grab().save(str(SHOTS / "batch.png"))


QTimer.singleShot(4000, step(degrees))
