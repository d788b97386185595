"""Days as people say them, and as they note them."""

from __future__ import annotations

from datetime import date

from kasta.i18n import Words

MONTHS = {
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "nb": "januar februar mars april mai juni juli august september oktober november desember",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "en": "January February March April May June July August September October November December",
}
SHORT = {
    "sv": "jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.",
    "nb": "jan. feb. mars april mai juni juli aug. sep. okt. nov. des.",
    "de": "Jan. Feb. März April Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
    "fr": "janv. févr. mars avril mai juin juil. août sept. oct. nov. déc.",
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
}
WITH_A_DOT = ("nb", "de")  # after the day's number


def day_said(words: Words, day: str, near: str = "") -> str:
    """A day such as 2026-05-03, said as "3 May"; with its year, unless it is that of the day `near`."""
    said = _day(words, day, MONTHS)
    return said if near[:4] in ("", day[:4]) else f"{said} {day[:4]}"


def day_noted(words: Words, day: str) -> str:
    """The same in short, such as "18 Nov"."""
    return _day(words, day, SHORT)


def _day(words: Words, day: str, months: dict[str, str]) -> str:
    found = date.fromisoformat(day)
    number = f"{found.day}." if words.language in WITH_A_DOT else str(found.day)
    if words.language == "fr" and found.day == 1:
        number = "1er"
    return f"{number} {months[words.language].split()[found.month - 1]}"
