"""What the panel shows belongs to the QGIS project: kept there, read from there, gone with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from qgis.core import QgsProject
from qgis.gui import QgsDockWidget

from .. import results
from ..starting_point import Start
from .pages import defaults

SCOPE = "couloir"
#: Fields that hold paths.
PATHS = ("runs", "point_cloud")


class SettingsDock(QgsDockWidget):
    """A dock with `pages`, `fields`, `scenarios`, `start_bar`, `amber` and `results_page`."""

    #: Whether the user changed something since the QGIS project was opened.
    unsaved = False

    def values(self) -> dict[str, Any]:
        found = {name: value for page in self.pages for name, value in page.values().items()}
        return {**found, "scenarios": self.scenarios.rows()}

    def keep(self) -> None:
        """The settings belong to the QGIS project, so that it can be passed to a colleague.

        Not while a project is being opened or closed: its own settings would be overwritten.
        """
        if not self.unsaved:
            return
        values, project = self.values(), QgsProject.instance()
        # Relative to the project where it can be: it may be moved and passed on.
        stored = {name: project.writePath(value) if name in PATHS and value else value for name, value in values.items()}
        texts = {"panel": json.dumps(stored, ensure_ascii=False) if values["dem"] else ""}
        texts["start"] = self.start_point.to_text() if self.start_point is not None else ""
        for key, text in texts.items():
            if project.readEntry(SCOPE, key, "")[0] != text and (text or key == "start"):
                project.writeEntry(SCOPE, key, text)

    def read_project(self) -> None:
        project = QgsProject.instance()
        try:
            values = json.loads(project.readEntry(SCOPE, "panel", "")[0] or "{}")
        except ValueError:
            values = {}
        start = Start.from_text(project.readEntry(SCOPE, "start", "")[0])
        values = {name: project.readPath(value) if name in PATHS and value else value for name, value in values.items()}
        self.begin_from(start, values)
        results.show_warnings([g for g in project.layerTreeRoot().findGroups() if g.customProperty(results.RUN_PROPERTY)])

    def reset(self, keep: bool = False) -> None:
        """A new project, or “Start afresh”: nothing of what was before."""
        self.begin_from(None, {}, keep)
        self.amber.show_warnings([])
        self.results_page.refresh([])

    def begin_from(self, start: Start | None, values: dict[str, Any], keep: bool = False) -> None:
        """Fills the panel; with `keep` the QGIS project takes note, without it waits for the user to change something."""
        self.start_point = start
        self.start_bar.show_start(start)
        self.restoring = True
        try:
            values = {**defaults(), **values}
            for page in self.pages:
                page.restore(values)
            self.scenarios.restore(values["scenarios"])
            if start is not None and not start.before:
                start.before = self.values()
        finally:
            self.restoring = False
        self.changed()
        self.unsaved = keep

    def runs_folder(self) -> Path | None:
        chosen, home = self.fields["runs"].filePath(), QgsProject.instance().homePath()
        if chosen:
            return Path(chosen)
        return Path(home) / "couloir_runs" if home else None
