"""Windows beside the panel: tools filled in, refusals with a button to what helps, small questions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

from qgis import gui
from qgis.core import Qgis, QgsApplication
from qgis.PyQt import QtWidgets, sip
from qgis.PyQt.QtCore import QThread, QUrl
from qgis.PyQt.QtGui import QDesktopServices

from .i18n import tr

GUIDE = "https://github.com/couloir-rockfall/couloir/blob/main/docs/user-guide.md"
RELEASES = "https://github.com/couloir-rockfall/couloir/releases"
#: Open dialogs: Processing's are written in Python and stop working once Python forgets them.
_open: list[Any] = []


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


def open_tool(name: str, parameters: dict[str, Any], done: Callable[[dict[str, Any]], None] | None = None) -> Any:
    """One of our algorithms in its dialog, filled in; `done` gets its results."""
    from qgis import processing

    dialog = processing.createAlgorithmDialog(f"couloir:{name}", parameters)
    if dialog is None:
        return None
    if done is not None:
        dialog.algorithmFinished.connect(lambda fine, results: done(results) if fine else None)
    # QGIS deletes a dialog that is closed.
    _open[:] = [other for other in _open if not sip.isdeleted(other) and other.isVisible()]
    _open.append(dialog)
    dialog.show()
    return dialog


def open_file(path: Any) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def open_page(address: str = GUIDE) -> None:
    QDesktopServices.openUrl(QUrl(address))


def engine_actions(plugin: Any = None) -> list[tuple[str, Any]]:
    """What the plugin's menu offers to get an engine."""
    from qgis.utils import plugins

    plugin = plugin or plugins.get("couloir")
    if plugin is None or plugin.iface is None:
        return []
    return [
        (tr("Install engine…"), plugin.install_engine),
        (tr("Engine location…"), plugin.locate_engine),
        (tr("Releases on the web…"), lambda: open_page(RELEASES)),
    ]


def offer(algorithm: str, obstacle: Obstacle) -> None:
    """Puts the sentence and its buttons into the open dialog of an algorithm; without a window nothing happens."""
    application = QgsApplication.instance()
    if not isinstance(application, QgsApplication) or QThread.currentThread() != application.thread():
        return
    if QgsApplication.platform() != "desktop":
        return
    actions = engine_actions()
    if obstacle.remedy == "prepare":
        actions = [(tr("Prepare project area…"), lambda: open_tool("prepare", obstacle.parameters))]
    for dialog in application.topLevelWidgets():
        if not isinstance(dialog, gui.QgsProcessingAlgorithmDialogBase) or not dialog.isVisible():
            continue
        if dialog.algorithm() is None or dialog.algorithm().id() != algorithm:
            continue
        dialog.messageBar().clearWidgets()
        push(dialog.messageBar(), obstacle.short(), actions, Qgis.MessageLevel.Warning)


def push(bar: gui.QgsMessageBar, words: str, actions: list[tuple[str, Any]], level: Any) -> None:
    """A message with buttons."""
    item = bar.createMessage("Couloir", words)
    for text, action in actions:
        button = QtWidgets.QPushButton(text)
        button.clicked.connect(lambda _checked=False, do=action: do())
        item.layout().addWidget(button)
    bar.pushWidget(item, level)


class Question(QtWidgets.QDialog):
    """A sentence, one or more widgets, OK, Cancel and Help."""

    def __init__(self, parent: Any, title: str, sentence: str, *widgets: Any) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(560, 0)
        label = QtWidgets.QLabel(sentence)
        label.setWordWrap(True)
        kinds = QtWidgets.QDialogButtonBox.StandardButton
        buttons = QtWidgets.QDialogButtonBox(kinds.Ok | kinds.Cancel | kinds.Help)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        buttons.helpRequested.connect(lambda: open_page())
        layout = QtWidgets.QVBoxLayout(self)
        for widget in (label, *widgets, buttons):
            layout.addWidget(widget)


def engine_question(parent: Any, current: str) -> tuple[Question, gui.QgsFileWidget]:
    """Asks where the engine is: its executable or its folder, typed or chosen."""
    place = gui.QgsFileWidget()
    place.setStorageMode(gui.QgsFileWidget.StorageMode.GetFile)
    place.setFilePath(current)
    words = tr("Executable of the engine, or its folder (empty: found in the QGIS profile or on PATH)")
    return Question(parent, tr("Couloir engine"), words, place), place


def install_question(parent: Any, previous: bool) -> tuple[Question, gui.QgsFileWidget, QtWidgets.QCheckBox]:
    """Asks for the file to install the engine from; with a link to where there are some."""
    place = gui.QgsFileWidget()
    place.setStorageMode(gui.QgsFileWidget.StorageMode.GetFile)
    back = QtWidgets.QCheckBox(tr("Go back to the engine that was installed before"))
    back.setEnabled(previous)
    back.toggled.connect(place.setDisabled)
    link = QtWidgets.QLabel(f'<a href="{RELEASES}">{tr("Releases on the web…")}</a>')
    link.setOpenExternalLinks(True)
    words = tr(
        "Archive (.tar.gz, .zip) or wheel (.whl) of a release, or the folder of an unpacked one. Nothing is downloaded: get "
        "the file and its SHA256SUMS or versions.json from the page of releases and keep them side by side, so that it can be "
        "checked."
    )
    return Question(parent, tr("Install engine…"), words, place, link, back), place, back
