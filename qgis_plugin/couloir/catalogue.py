"""The catalogue of texts that the engine has compiled in (`locales/*.ftl`), for what QGIS shows of the engine's results.

The files are in the syntax of Fluent; only messages, variables and plurals of one and other are used, which the engine's
tests see to. Nothing has to be installed to read that much.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "de", "fr", "it")
_HERE = Path(__file__).resolve().parent
_PLURAL = re.compile(r"\{ \$(\w+) ->\s*\[one\] (.*?)\s*\*\[other\] (.*?)\s*\n\s*\}", re.DOTALL)
_PLACE = re.compile(r"\{ \$(\w+) \}")


def language_of(locale: str) -> str:
    """The catalogue's language for a locale such as de_CH; English for one it does not have."""
    code = locale[:2].lower()
    return code if code in LANGUAGES else "en"


@cache
def messages(language: str) -> dict[str, str]:
    """Key and pattern of every message of a language."""
    # Packed beside this file; in a checkout at the top.
    places = (_HERE / "locales", _HERE.parent.parent / "locales")
    path = next(place for place in places if place.is_dir()) / f"{language}.ftl"
    found: dict[str, str] = {}
    key = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        begin = re.match(r"([a-z][\w-]*) =\s?(.*)", line)
        if begin:
            key = begin.group(1)
            found[key] = begin.group(2)
        elif line.startswith(" ") and key:
            found[key] += "\n" + line
    return found


def words(language: str, key: str, **values: object) -> str:
    """A message in a language, with values in its places; the key itself if there is no such message."""
    pattern = messages(language).get(key)
    if pattern is None:
        return key

    def number(match: re.Match) -> str:
        count = values.get(match.group(1), 0)
        # French counts zero as one.
        single = count == 1 or (language == "fr" and count == 0)
        return match.group(2 if single else 3)

    text = _PLURAL.sub(number, pattern)
    return _PLACE.sub(lambda match: str(values.get(match.group(1), match.group(0))), text).strip()


def layer_name(language: str, name: str) -> str:
    """What a raster layer of a run is called, by the name of its file."""
    frequency = re.fullmatch(r"frequency_above_(.+)_kj", name)
    if frequency:
        return words(language, "layer-name-frequency-above", energy=frequency.group(1))
    quantities = {"kinetic_energy_kj": "energy", "velocity_ms": "velocity", "jump_height_m": "jump", "rotation_rps": "rotation"}
    for start, quantity in quantities.items():
        if name.startswith(start + "_"):
            statistic = words(language, "layer-name-" + name[len(start) + 1 :].replace("_", "-"))
            of = words(language, f"quantity-{quantity}")
            return words(language, "layer-name-statistic", quantity=of, statistic=statistic)
    key = "layer-name-" + name.replace("_", "-")
    text = words(language, key)
    return name if text == key else text
