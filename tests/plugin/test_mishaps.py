"""What must not happen again: users' files, dead buttons, swallowed warnings … in a real window and in qgis_process."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import VALLEY
from test_window import in_a_window, profile  # noqa: F401 (a fixture)


@pytest.fixture(scope="module")
def answers(profile: dict[str, str], tmp_path_factory: pytest.TempPathFactory, shots: Path) -> dict[str, Any]:  # noqa: F811
    place = tmp_path_factory.mktemp("Pannen ü")
    in_a_window("mishaps.py", profile, place, shots)
    found = json.loads((place / "answers.json").read_text("utf-8"))
    assert "failed" not in found, found["failed"]
    return {**found, "place": str(place)}


def test_files_of_the_user_are_never_touched(answers: dict[str, Any]) -> None:
    for name in ("theirs", "other"):
        assert answers[f"{name} kept"], f"{name} was changed"
        assert all("holds files already" in text for text in answers[f"{name} refused"]), answers[f"{name} refused"]
    assert answers["empty"] == "" and "holds a finished run" in answers["again"] and answers["replaced"] == ""
    assert answers["mine"] == [True, True]


def test_buttons_stay_alive(answers: dict[str, Any]) -> None:
    assert answers["opened"] == ["couloir:classify", "couloir:layout", "couloir:barrier"]


def test_warnings_are_seen(answers: dict[str, Any]) -> None:
    assert answers["state"] == "Finished, with warnings." and answers["amber shown"]
    assert "left the terrain model" in answers["amber"]
    assert len(answers["sign"]) == 1 and "left the terrain model" in answers["sign"][0]
    assert "left the terrain model" in answers["note"]


def test_a_new_project_begins_afresh(answers: dict[str, Any]) -> None:
    none = {"title": "", "seed": 1, "scheme": None, "scenarios": [], "dem": None, "release": None, "runs": None}
    assert answers["new"] == none and answers["runs listed"] == 0
    assert answers["dem of an opened run"] is None


def test_checks_are_never_stale(answers: dict[str, Any]) -> None:
    assert answers["while checking"] == "● Checking…"


def test_bugs_and_nonsense_are_sentences(answers: dict[str, Any]) -> None:
    assert "internal error" in answers["bug"] and "Cancelled" not in answers["bug"]
    assert "holds no finished Couloir run" in answers["nonsense"]
    assert answers["left"] == [], "no folder stays behind"
    for text in (answers["bug"], answers["nonsense"], answers["no such place"]):
        assert "Errno" not in text and "Traceback" not in text and "project.yaml:" not in text, text
    assert "Check the path" in answers["no such place"]


def test_the_sheet_is_found_again(answers: dict[str, Any]) -> None:
    assert answers["pdf"].startswith(answers["place"]) and answers["pdf"].endswith("Edge.pdf"), "beside the run"
    assert answers["hillshades"] == 1
    assert answers["offered"][:2] == ["Open PDF", "Open layout"]
    text = subprocess.run(
        ["pdftotext", "-layout", f"{answers['place']}/sheet 1.pdf", "-"], capture_output=True, text=True, check=True
    ).stdout
    assert "Rocks per release position" in text
    assert not [word for word in text.split() if word.count("_") > 1 and "/" not in word and "." not in word], (
        "no keys of files"
    )


def test_no_caption_is_cut_off(answers: dict[str, Any]) -> None:
    assert answers["themes"] == "Night Mapping" and answers["cut off"] == []


def test_relative_paths_in_qgis_process(profile: dict[str, str], tmp_path: Path) -> None:  # noqa: F811
    quiet = {**profile, "QT_QPA_PLATFORM": "offscreen"}

    def call(name: str, *given: str) -> str:
        done = subprocess.run(
            ["qgis_process.bin", "run", f"couloir:{name}", "--", *given], capture_output=True, env=quiet, cwd=tmp_path
        )
        text = (done.stdout + done.stderr).decode("utf-8", "replace")
        assert done.returncode == 0 and "Traceback" not in text, text
        return text

    call("run", f"PROJECT={VALLEY / 'project.yaml'}", "LIMIT=4", "OUTPUT=out")
    assert (tmp_path / "out" / "run" / "layers" / "passages.qml").is_file()
    line = f"{VALLEY / 'lines.gpkg'}"
    call("barrier", "RUN=out/run", f"LINE={line}", "NAME=neu", "NEW_RUN=new", "OUTPUT=sheet.html")
    assert "neu" in (tmp_path / "sheet.html").read_text("utf-8") and (tmp_path / "new" / "run" / "manifest.json").is_file()
    call("layout", "RUN=out/run", "PDF=map.pdf", "DPI=72")
    assert (tmp_path / "map.pdf").stat().st_size > 10_000
