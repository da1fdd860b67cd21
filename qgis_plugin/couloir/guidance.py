"""Refusals that show the way out: a button in the algorithm's dialog, beside the sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from qgis.core import Qgis, QgsApplication
from qgis.PyQt.QtCore import QThread

from .i18n import tr


@dataclass
class Obstacle:
    """Why an algorithm cannot run, in one sentence, and which tool helps."""

    sentence: str
    #: `prepare` (with its parameters) or `engine`.
    remedy: str
    parameters: dict[str, Any] = field(default_factory=dict)

    def short(self) -> str:
        """Its beginning, for a bar with little room; the whole was shown before."""
        return self.sentence.split(". ")[0].rstrip(".") + "."


#: Open dialogs: Processing's are written in Python and stop working once Python forgets them.
_open: list[Any] = []


def open_tool(name: str, parameters: dict[str, Any]) -> None:
    """One of our algorithms in its dialog, filled in."""
    from qgis import processing

    dialog = processing.createAlgorithmDialog(f"couloir:{name}", parameters)
    if dialog is None:
        return
    _open[:] = [other for other in _open if other.isVisible()]
    _open.append(dialog)
    dialog.show()


def engine_actions() -> list[tuple[str, Any]]:
    """What the plugin's menu offers to get an engine."""
    from qgis.utils import plugins

    plugin = plugins.get("couloir")
    if plugin is None or plugin.iface is None:
        return []
    return [
        (tr("Install engine from file…"), plugin.install_engine),
        (tr("Engine location…"), plugin.locate_engine),
    ]


def actions(obstacle: Obstacle) -> list[tuple[str, Any]]:
    if obstacle.remedy == "prepare":
        return [(tr("Prepare project area…"), lambda: open_tool("prepare", obstacle.parameters))]
    return engine_actions()


def offer(algorithm: str, obstacle: Obstacle) -> None:
    """Puts the sentence and its buttons into the open dialog of an algorithm; without a window nothing happens."""
    application = QgsApplication.instance()
    if not isinstance(application, QgsApplication) or QThread.currentThread() != application.thread():
        return
    if QgsApplication.platform() != "desktop":
        return
    from qgis.gui import QgsProcessingAlgorithmDialogBase
    from qgis.PyQt.QtWidgets import QPushButton

    for dialog in application.topLevelWidgets():
        if not isinstance(dialog, QgsProcessingAlgorithmDialogBase) or not dialog.isVisible():
            continue
        if dialog.algorithm() is None or dialog.algorithm().id() != algorithm:
            continue
        bar = dialog.messageBar()
        bar.clearWidgets()
        item = bar.createMessage("Couloir", obstacle.short())
        for text, action in actions(obstacle):
            button = QPushButton(text)
            button.clicked.connect(lambda _checked=False, do=action: do())
            item.layout().addWidget(button)
        bar.pushWidget(item, Qgis.MessageLevel.Warning)
