"""For scripts that run inside a real QGIS window: a story that waits for states, never for times.

The story is a generator that yields conditions; the window lives until each is true. Environment: COULOIR_SITE (folder of the
sample), COULOIR_SHOTS (pictures), COULOIR_OUT (answers.json at the end, with `failed` if the story broke off).
"""

import json
import os
import traceback
from pathlib import Path

from qgis.PyQt.QtCore import QTimer

SITE, SHOTS, OUT = (Path(os.environ[name]) for name in ("COULOIR_SITE", "COULOIR_SHOTS", "COULOIR_OUT"))
answers = {}


def end():
    (OUT / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    os._exit(0)


def tell(story, waiting=None):
    """Goes on with the story as soon as what it waits for is true."""
    try:
        while waiting is None or waiting():
            waiting = next(story)
    except StopIteration:
        return end()
    except Exception:
        answers["failed"] = traceback.format_exc()
        return end()
    return QTimer.singleShot(100, lambda: tell(story, waiting))


def begin(story):
    QTimer.singleShot(2000, lambda: tell(story()))
