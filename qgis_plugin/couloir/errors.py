"""What can go wrong, always as one sentence for people; the log panel has the rest."""

from __future__ import annotations

import traceback

from qgis.core import Qgis, QgsMessageLog

from .i18n import tr


class Unusable(Exception):
    """What was given cannot be used; the text is one sentence that says why and what to do."""


class EngineError(Exception):
    """One sentence for the user; `log` holds the last lines the engine wrote."""

    def __init__(self, sentence: str, log: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.log = log


class EngineMissing(EngineError):
    """No usable engine was found."""


class Cancelled(EngineError):
    """The user cancelled."""


def sentence_of(error: BaseException) -> str:
    """For people: no codes, no traceback. What is a bug of ours goes to the log panel as well."""
    if isinstance(error, (Unusable, EngineError)):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return tr("“{}”: {}. Check the path, free space and permissions.").format(error.filename or "", error.strerror)
    QgsMessageLog.logMessage(
        "".join(traceback.format_exception(type(error), error, error.__traceback__)), "Couloir", Qgis.MessageLevel.Critical
    )
    return tr("The plugin met an internal error ({}); please report it with the log panel's “Couloir” tab.").format(error)
