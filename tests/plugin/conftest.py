"""Fixtures: the real QGIS (pytest-qgis), the real engine, the sample projects. Nothing is mocked."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Copies: merely opening a GeoPackage in QGIS changes the file.
SAMPLES = Path(tempfile.mkdtemp(prefix="couloir-samples-"))
shutil.copytree(ROOT / "sample_projects", SAMPLES, dirs_exist_ok=True)
VALLEY = SAMPLES / "valley"
EXIT_STATUS = pytest.StashKey[int]()
for place in ("/usr/share/qgis/python/plugins", str(ROOT / "qgis_plugin")):
    if place not in sys.path:
        sys.path.insert(0, place)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    session.config.stash[EXIT_STATUS] = int(exitstatus)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """QGIS 3.22 may crash while Python takes it apart at the end; every test is done and reported by now."""
    shutil.rmtree(SAMPLES, ignore_errors=True)
    if EXIT_STATUS in config.stash:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[EXIT_STATUS])


def engine_file() -> Path:
    """The engine just built: COULOIR_ENGINE, or the newest under target/."""
    named = os.environ.get("COULOIR_ENGINE")
    if named:
        return Path(named)
    built = [ROOT / "target" / profile / "couloir" for profile in ("debug", "release")]
    built = [file for file in built if file.is_file()]
    assert built, "build the engine first: cargo build"
    return max(built, key=lambda file: file.stat().st_mtime)


class Log:
    """Feedback that remembers what it was told."""

    def __new__(cls) -> Any:
        from qgis.core import QgsProcessingFeedback

        class Feedback(QgsProcessingFeedback):
            def __init__(self) -> None:
                super().__init__(False)
                self.lines: list[str] = []

            def pushInfo(self, info: str) -> None:
                self.lines.append(info)

            def pushWarning(self, warning: str) -> None:
                self.lines.append(f"warning: {warning}")

            def reportError(self, error: str, fatalError: bool = False) -> None:
                self.lines.append(f"error: {error}")

            def pushConsoleInfo(self, info: str) -> None:
                self.lines.append(info)

            def setProgressText(self, text: str) -> None:
                self.lines.append(text)

        return Feedback()


@pytest.fixture(scope="session")
def shots() -> Path:
    """Where screenshots and maps go; the user guide's pictures are taken from here."""
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def provider(qgis_app: Any) -> Iterator[Any]:
    from couloir.provider import CouloirProvider
    from processing.core.Processing import Processing
    from qgis.analysis import QgsNativeAlgorithms
    from qgis.core import QgsApplication

    Processing.initialize()
    registry = QgsApplication.processingRegistry()
    if registry.providerById("native") is None:
        registry.addProvider(QgsNativeAlgorithms(registry))
    made = CouloirProvider()
    assert registry.addProvider(made)
    yield made


@pytest.fixture(autouse=True)
def engine_setting(qgis_app: Any) -> Iterator[Path]:
    """Every test starts with the real engine set, and an empty project."""
    from couloir import engine
    from qgis.core import QgsProject

    engine.configure(str(engine_file()))
    yield engine_file()
    engine.configure("")
    QgsProject.instance().clear()


@pytest.fixture()
def run_tool(provider: Any) -> Any:
    """Runs an algorithm of ours as the toolbox does: `run_tool("prepare", {...})`."""
    import processing
    from qgis.core import QgsProcessingContext, QgsProject

    def run(name: str, parameters: dict[str, Any], feedback: Any = None) -> dict[str, Any]:
        context = QgsProcessingContext()
        context.setProject(QgsProject.instance())
        return processing.run(f"couloir:{name}", parameters, context=context, feedback=feedback or Log())

    return run


@pytest.fixture(scope="session")
def small_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The valley with a handful of rocks, in a folder with a space and umlauts."""
    folder = tmp_path_factory.mktemp("Gefährdung Süd é") / "valley"
    shutil.copytree(VALLEY, folder)
    return folder / "project.yaml"


@pytest.fixture(scope="session")
def valley_run(small_project: Path, qgis_app: Any) -> Path:
    """A finished run of the valley: a few rocks of each scenario."""
    from couloir import engine

    folder = small_project.parent.parent / "Läufe 1" / "run"
    found = engine.handshake(engine_file(), "test")
    engine.run(found, ["run", str(small_project), "--out", str(folder), "--limit", "24", "--progress", "json"])
    return folder
