"""The algorithms as parts of a Processing model, and all of them in qgis_process."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from conftest import VALLEY, Log
from qgis.core import (
    QgsProcessingContext,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelOutput,
    QgsProcessingModelParameter,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
    QgsProject,
)
from test_window import profile  # noqa: F401 (a fixture)

Source = QgsProcessingModelChildParameterSource


def child(name: str, **sources: Any) -> QgsProcessingModelChildAlgorithm:
    """A step with every default filled in, as the model designer does."""
    made = QgsProcessingModelChildAlgorithm(f"couloir:{name}")
    made.setChildId(name)
    made.setDescription(name)
    for definition in made.algorithm().parameterDefinitions():
        if not definition.isDestination():
            made.addParameterSources(definition.name(), [Source.fromStaticValue(definition.defaultValue())])
    for key, source in sources.items():
        made.addParameterSources(key, [source])
    return made


def model() -> QgsProcessingModelAlgorithm:
    """Project file in, hazard zones out: Run, then Classify, then Barrier report."""
    made = QgsProcessingModelAlgorithm("From project to zones", "Couloir")
    made.addModelParameter(QgsProcessingParameterFile("project", "Project"), QgsProcessingModelParameter("project"))
    run = child("run", PROJECT=Source.fromModelParameter("project"), LIMIT=Source.fromStaticValue(6))
    output = QgsProcessingModelOutput("folder")
    output.setChildId("run")
    output.setChildOutputName("OUTPUT")
    run.setModelOutputs({"folder": output})
    made.addChildAlgorithm(run)
    of_run = Source.fromChildOutput("run", "RUN")
    made.addChildAlgorithm(child("classify", RUN=of_run, SCHEME=Source.fromStaticValue(2)))
    barrier = child("barrier", RUN=of_run)
    sheet = QgsProcessingModelOutput("sheet")
    sheet.setChildId("barrier")
    sheet.setChildOutputName("OUTPUT")
    barrier.setModelOutputs({"sheet": sheet})
    made.addChildAlgorithm(barrier)
    made.updateDestinationParameters()
    return made


def test_run_classify_and_report_in_a_model(provider: Any, tmp_path: Path) -> None:
    made = model()
    fine, problems = made.validate()
    assert fine, problems
    names = {definition.name(): type(definition) for definition in made.parameterDefinitions()}
    folder = next(name for name, kind in names.items() if kind is QgsProcessingParameterFolderDestination)
    sheet = next(name for name in names if name not in (folder, "project"))
    context, log = QgsProcessingContext(), Log()
    context.setProject(QgsProject.instance())
    out = tmp_path / "Modell ü"
    given = {"project": str(VALLEY / "project.yaml"), folder: str(out), sheet: str(tmp_path / "Blatt.html")}
    results, fine = made.run(given, context, log)
    assert fine, log.lines
    assert (out / "run" / "classification" / "norway" / "hazard.gpkg").is_file()
    assert "planned barrier" in (tmp_path / "Blatt.html").read_text("utf-8")


def test_all_algorithms_are_known_to_qgis_process(profile: dict[str, str], tmp_path: Path) -> None:  # noqa: F811
    quiet = {**profile, "QT_QPA_PLATFORM": "offscreen", "LANG": "C", "LC_ALL": "C"}

    def call(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["qgis_process.bin", *arguments], capture_output=True, env=quiet, timeout=3600)

    listed = json.loads(call("--json", "list").stdout)["providers"]["couloir"]["algorithms"]
    assert set(listed) == {
        f"couloir:{name}"
        for name in ("prepare", "release", "run", "classify", "barrier", "merge", "compare", "score", "profile", "layout")
    }
    assert all(entry["short_description"].endswith(".") for entry in listed.values())
    # Umlauts in and out, although the locale knows only ASCII.
    out = tmp_path / "Läufe"
    for number in (1, 2):
        done = call(
            "run",
            "couloir:run",
            "--",
            f"PROJECT={VALLEY / 'project.yaml'}",
            "LIMIT=2",
            f"SEED={number}",
            f"OUTPUT={out}/{number}ä",
        )
        assert done.returncode == 0, done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")
    done = call("run", "couloir:compare", "--", f"FIRST={out}/1ä/run", f"SECOND={out}/2ä/run", f"OUTPUT={out}/Vergleich")
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")
    assert (out / "Vergleich" / "difference_kinetic_energy_kj_p95.qml").is_file()
    refused = call("run", "couloir:compare", "--", f"FIRST={out}/1ä/run", f"SECOND={out}/gibt es nicht ö", f"OUTPUT={out}/x")
    text = (refused.stdout + refused.stderr).decode("utf-8", "replace")
    assert refused.returncode != 0 and "holds no finished Couloir run" in text and "Traceback" not in text
