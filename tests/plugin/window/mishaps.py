"""What went wrong once, tried again in a real QGIS window."""

import hashlib
import os
import shutil
import sys

sys.path.insert(0, os.environ["COULOIR_WINDOW"])
import processing
from couloir import dialogs, engine
from couloir.panel.tasks import Job
from osgeo import gdal
from qgis.core import QgsApplication, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtWidgets import QLabel, QPushButton
from qgis.utils import iface, plugins
from steps import OUT, SHOTS, SITE, answers, begin

SPOT = (2786950.0, 1181850.0)


def contents(folder):
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def button(widget, text):
    return next(found for found in widget.findChildren(QPushButton) if found.text() == text)


def refused(parameters):
    try:
        processing.run("couloir:run", parameters)
    except Exception as error:
        return str(error)
    return ""


def points(name, places):
    layer = QgsVectorLayer("Point?crs=EPSG:2056&field=name:string", name, "memory")
    from qgis.core import QgsFeature, QgsGeometry, QgsPointXY

    for place in places:
        feature = QgsFeature(layer.fields())
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(*place)))
        layer.dataProvider().addFeature(feature)
    return QgsProject.instance().addMapLayer(layer)


def story():
    dock = plugins["couloir"].dock
    controls = dock.run_controls
    iface.mainWindow().setGeometry(0, 0, 1500, 920)
    dock.setUserVisible(True)
    project = QgsProject.instance()
    yield from precious_files()
    # A small DEM: rocks run over its edge.
    x, y = SPOT
    gdal.Translate(str(OUT / "clip.tif"), str(SITE / "dem.tif"), projWin=[x - 80, y + 60, x + 60, y - 60])
    dem = project.addMapLayer(QgsRasterLayer(str(OUT / "clip.tif"), "Clip"))
    release = points("Cliff", [SPOT, (x + 10, y + 5)])
    dock.fields["dem"].setLayer(dem)
    dock.fields["release"].setLayer(release)
    dock.fields["runs"].setFilePath(str(OUT / "runs"))
    dock.fields["title"].setText("Edge")
    dock.fields["seed"].setValue(77)
    dock.fields["rocks_per_position"].setValue(12)
    dock.run_controls.stable.setChecked(False)
    answers["while checking"] = dock.checks.toPlainText()
    yield lambda: "Ready to run" in dock.checks.toPlainText()
    controls.run_button.click()
    yield lambda: controls.state.text().startswith("Finished")
    answers["state"], answers["amber"] = controls.state.text(), dock.amber.text()
    answers["amber shown"] = dock.amber.isVisible()
    group = next(g for g in project.layerTreeRoot().findGroups() if g.customProperty("couloir/run"))
    answers["sign"] = [sign.toolTip() for sign in iface.layerTreeView().indicators(group)]
    iface.mainWindow().grab().save(str(SHOTS / "amber.png"))
    yield from buttons_live(dock)
    yield from sheets(dock)
    yield from a_new_project(dock)
    yield from unexpected(dock)
    yield from dark(dock)


def precious_files():
    for name, inside in (("theirs", "inputs"), ("other", "run")):
        place = OUT / name
        (place / inside).mkdir(parents=True)
        for file in ("release.gpkg", "dem.tif"):
            shutil.copyfile(SITE / file, place / inside / file)
        (place / inside / "Notizen.txt").write_text("do not lose", encoding="utf-8")
        before = contents(place)
        given = {"DEM": str(SITE / "dem.tif"), "RELEASE": str(SITE / "release.gpkg"), "LIMIT": 2, "OUTPUT": str(place)}
        for more in ({}, {"OVERWRITE": True}, {"PROJECT": str(SITE / "project.yaml")}):
            answers.setdefault(f"{name} refused", []).append(refused({**given, **more}))
        answers[f"{name} kept"] = contents(place) == before
    # An empty folder will do; what the user puts beside a run of ours stays when it is replaced.
    (OUT / "empty").mkdir()
    given = {"PROJECT": str(SITE / "project.yaml"), "LIMIT": 2, "LOAD": False, "OUTPUT": str(OUT / "empty")}
    answers["empty"] = refused(given)
    for place in (OUT / "empty", OUT / "empty" / "run"):
        (place / "mine.txt").write_text("mine", encoding="utf-8")
    answers["again"], answers["replaced"] = refused(given), refused({**given, "OVERWRITE": True, "SEED": 5})
    answers["mine"] = [(place / "mine.txt").is_file() for place in (OUT / "empty", OUT / "empty" / "run")]
    yield lambda: True


def buttons_live(dock):
    """Classify… → Close → Hazard map…"""
    page = dock.results_page
    for text in ("Classify…", "Hazard map…", "Barrier report…"):
        button(page, text).click()
        dialog = dialogs._open[-1]
        yield dialog.isVisible
        answers.setdefault("opened", []).append(dialog.algorithm().id())
        if text == "Hazard map…":
            answers["pdf"] = dialog.createProcessingParameters()["PDF"]
        dialog.close()
        yield lambda: True


def sheets(dock):
    """Two sheets of one run share a hillshade; the note tells what the run warned of."""
    run = dock.results_page.runs[0]
    for number in (1, 2):
        given = {"RUN": str(run.folder), "PDF": str(OUT / f"sheet {number}.pdf"), "DPI": 100, "THEME": 2}
        made = processing.run("couloir:layout", given)
    layout = QgsProject.instance().layoutManager().layoutByName(made["LAYOUT"])
    answers["note"] = layout.itemById("note").text()
    answers["hillshades"] = len(QgsProject.instance().mapLayersByName("Hillshade"))
    dock.map_made(made)
    bar = iface.messageBar().currentItem()
    answers["offered"] = [found.text() for found in bar.findChildren(QPushButton) if found.text()]
    button(bar, "Open layout").click()
    yield lambda: bool(iface.openLayoutDesigners())
    iface.openLayoutDesigners()[0].close()


def a_new_project(dock):
    """Nothing of the old project stays; a run opened in an empty one is not taken for its DEM."""
    folder = dock.results_page.runs[0].folder
    dock.scenarios.add()
    iface.newProject(False)
    values = dock.values()
    answers["new"] = {name: values[name] for name in ("title", "seed", "scheme", "scenarios", "dem", "release", "runs")}
    answers["runs listed"] = dock.results_page.list.count()
    dock.results_page.open_folder(folder)
    yield lambda: any(g.customProperty("couloir/run") for g in QgsProject.instance().layerTreeRoot().findGroups())
    answers["dem of an opened run"] = dock.values()["dem"]


def unexpected(dock):
    """A bug of ours, and an engine that talks nonsense: sentences, no folder left, no codes."""
    project = QgsProject.instance()
    dock.fields["dem"].setLayer(project.addMapLayer(QgsRasterLayer(str(SITE / "dem.tif"), "DEM")))
    dock.fields["release"].setLayer(points("Cliff", [SPOT]))
    dock.fields["runs"].setFilePath(str(OUT / "more runs"))
    whole = Job.write
    Job.write = lambda *_given, **_named: {}["lost"]
    dock.start([])
    yield lambda: "run" not in dock.tasks
    answers["bug"] = dock.run_controls.state.text()
    Job.write = whole
    fake = OUT / "nonsense" / "couloir"
    fake.parent.mkdir()
    lines = ('{"stage":5,"done":"x","total":[],"rate":{},"eta_s":"soon","warnings":3}', '{"stage":null}', "[]", "{", "null")
    text = "\n".join(f"echo '{line}'" for line in lines)
    fake.write_text(f"#!/bin/sh\ncase $1 in\n--version) echo couloir 0.2.0;;\n*) {text}\nexit 0;;\nesac\n", encoding="utf-8")
    fake.chmod(0o755)
    before = engine.configured()
    engine.configure(str(fake))
    dock.changed()
    yield lambda: "no answer" in dock.checks.toPlainText()
    dock.start([])
    yield lambda: "run" not in dock.tasks
    answers["nonsense"] = dock.run_controls.state.text()
    dock.fields["runs"].setFilePath("/proc/nowhere")
    engine.configure(before)
    dock.start([])
    yield lambda: "run" not in dock.tasks
    answers["no such place"] = dock.run_controls.state.text()
    answers["left"] = [str(path) for path in (OUT / "more runs").glob("*")]


def dark(dock):
    """No caption is cut off, in either theme."""
    for theme in ("default", "Night Mapping"):
        QgsApplication.setUITheme(theme)
        for index, page in enumerate(dock.pages):
            dock.tabs.setCurrentIndex(index)
            yield lambda: True
            yield page.isVisible
            cut = [
                label.text()
                for label in page.findChildren(QLabel)
                if label.isVisible() and label.heightForWidth(label.width()) > label.height()
            ]
            answers.setdefault("cut off", []).extend(cut)
            dock.grab().save(str(SHOTS / f"{'dark' if theme != 'default' else 'light'}-{index}.png"))
    answers["themes"] = QgsApplication.themeName()


begin(story)
