"""The map that fills while rocks fall, with the real engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conftest import VALLEY, engine_file
from couloir import engine
from couloir.panel.live_map import LiveMap
from qgis.core import QgsProject


def test_the_map_fills_while_rocks_fall_and_goes_when_they_have(tmp_path: Path, qgis_new_project: Any) -> None:
    project, live = QgsProject.instance(), LiveMap(tmp_path)
    options = live.begin()
    seen: list[str] = []

    def progress(_now: engine.Progress) -> None:
        live.refresh()
        seen.extend(layer.name() for layer in project.mapLayers().values())

    arguments = ["run", str(VALLEY / "project.yaml"), "--out", str(tmp_path / "run"), "--limit", "20", "--progress", "json"]
    engine.run(
        engine.handshake(engine_file(), "test"), [*arguments, "--checkpoint-every", "0.01", *options], on_progress=progress
    )
    live.refresh()
    (layer,) = project.mapLayers().values()
    assert layer.name() == "Rocks so far (run under way)" and layer.isValid()
    assert layer.renderer().type() == "singlebandpseudocolor", "in the engine's colours"
    assert layer.dataProvider().bandStatistics(1).maximumValue >= 1
    # A layer the user has removed does not come back.
    project.removeMapLayer(layer.id())
    live.seen = 0
    live.refresh()
    assert not project.mapLayers()
    live.end()
    assert [file.name for file in tmp_path.iterdir()] == ["run"], "nothing stays behind"
    assert live.begin() != options or not Path(options[1]).exists()
    live.end()
