"""What the panel says around its pages: where it starts from, checks that follow every change, warnings of the last run."""

from __future__ import annotations

import html
from typing import Any

from qgis.PyQt import QtWidgets
from qgis.PyQt.QtCore import QUrl, pyqtSignal

from .. import dialogs
from ..engine import duration
from ..i18n import tr
from ..starting_point import Start

COLOURS = {"ok": "#1a7f37", "warning": "#b26a00", "error": "#c62828", "busy": "#888888"}
#: Longer runs (s) are worth a second thought.
LONG = 3600.0


class Checks(QtWidgets.QTextBrowser):
    """Green for ready, amber for what looks odd, red for what must be mended, grey while it is not known."""

    prepare = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("checks")
        self.setMaximumHeight(150)
        self.setOpenLinks(False)
        self.anchorClicked.connect(self.follow)
        self.busy()

    def busy(self) -> None:
        """What was green a moment ago may no longer be."""
        self.setHtml(_sentence("busy", html.escape(tr("Checking…"))))

    def show_survey(self, survey: dict[str, Any]) -> None:
        lines = []
        for sentence in survey["sentences"]:
            text = html.escape(sentence["text"])
            if "Prepare" in text or tr("Prepare project area") in text:
                text += _link("prepare", tr("Prepare project area…"))
            if sentence["remedy"] == "engine":
                text += "".join(_link(f"engine{n}", words) for n, (words, _) in enumerate(dialogs.engine_actions()))
            lines.append(_sentence(sentence["level"], text))
        if survey["status"] != "error":
            counts = tr("{} release positions, {} rocks.").format(survey["releases"], survey["trajectories"])
            seconds = survey["estimate"].get("time_s", 0.0)
            if seconds > LONG:
                words = tr("The run would take about {}. Fewer rocks, a wider spacing or a quick look are faster.")
                lines.insert(0, _sentence("warning", html.escape(words.format(duration(seconds)))))
            lines.insert(0, _sentence("ok" if seconds <= LONG else "warning", html.escape(f"{tr('Ready to run:')} {counts}")))
        self.setHtml("".join(lines))

    def follow(self, link: QUrl) -> None:
        if link.toString() == "prepare":
            self.prepare.emit()
        for number, (_, action) in enumerate(dialogs.engine_actions()):
            if link.toString() == f"engine{number}":
                action()


class AmberBox(QtWidgets.QLabel):
    """Warnings of a run that must not be overlooked."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("warnings")
        self.setWordWrap(True)
        self.setStyleSheet("QLabel { background: #ffe3a3; color: #3d2b00; border: 1px solid #b26a00; padding: 4px; }")
        self.hide()

    def show_warnings(self, warnings: list[str]) -> None:
        shown = [f"⚠ {warning}" for warning in warnings[:4]]
        if len(warnings) > len(shown):
            shown.append(tr("… and {} more, in the report.").format(len(warnings) - len(shown)))
        self.setText("\n".join(shown))
        self.setToolTip("\n\n".join(warnings))
        self.setVisible(bool(warnings))


class StartBar(QtWidgets.QWidget):
    """What the panel starts from, with the way back."""

    forget = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.text = QtWidgets.QLabel()
        self.text.setWordWrap(True)
        button = QtWidgets.QPushButton(tr("Start afresh"))
        button.clicked.connect(lambda _checked=False: self.forget.emit())
        row = QtWidgets.QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.text, 1)
        row.addWidget(button)
        self.hide()

    def show_start(self, start: Start | None) -> None:
        self.setVisible(start is not None)
        self.text.setText(start.sentence() if start is not None else "")
        self.text.setToolTip("\n".join(start.kept) if start is not None else "")


def _sentence(level: str, text: str) -> str:
    return f'<p style="margin:2px 0"><span style="color:{COLOURS.get(level, COLOURS["warning"])}">●</span> {text}</p>'


def _link(target: str, text: str) -> str:
    return f' <a href="{target}">{html.escape(text)}</a>'
