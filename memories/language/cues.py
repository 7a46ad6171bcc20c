"""Words that say something of a sentence, looked for script by script."""

import re
from dataclasses import dataclass

from security.patterns import bounded


@dataclass(frozen=True, slots=True)
class Cue:
    """
    English and Chinese words for one thing, looked for wherever they stand in a text.

    Apart, since an expression of both tries the Chinese words at every English letter: three times the time.
    """

    english: re.Pattern[str]
    chinese: re.Pattern[str]

    def is_in(self, text: str) -> bool:
        """Tell whether the text has any of the words."""
        return self.english.search(text) is not None or (
            not text.isascii() and self.chinese.search(text) is not None
        )

    def count_in(self, text: str) -> int:
        """Return how many of the words the text has."""
        return len(self.english.findall(text)) + (0 if text.isascii() else len(self.chinese.findall(text)))


def cue(english: str, chinese: str) -> Cue:
    """Return the cue of these words, whatever their case; expressions of `re`."""
    return Cue(bounded(english, re.IGNORECASE), bounded(chinese, re.IGNORECASE))


def any_of(*forms: str) -> re.Pattern[str]:
    """
    Return an expression that finds what any of the forms finds, whatever their case.

    Forms with one beginning are put behind it, so that a place in the text that cannot begin any of them is
    passed over at once; none has an alternative outside of brackets.
    """
    first = [form[1:] for form in forms if form.startswith("^")]
    words = [form[2:] for form in forms if form.startswith(r"\b")]
    others = [form for form in forms if not form.startswith(("^", r"\b"))]
    joined = [*_behind("^", first), *_behind(r"\b", words), *others]
    return bounded("|".join(joined), re.IGNORECASE)


def _behind(beginning: str, forms: list[str]) -> list[str]:
    return [f"{beginning}(?:{'|'.join(forms)})"] if forms else []
