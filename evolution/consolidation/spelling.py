"""Keywords in one spelling, so that findings meet: JWT is JSON Web Token (SPEC M-12). Pure."""

from collections.abc import Iterable, Mapping

from memories.language import TAG_NAMES, canonical_tag, name_key, stem


class Spelling:
    """The one spelling of words, by the published list and by names that a tenant has made one."""

    def __init__(self, aliases: Mapping[str, str] | None = None) -> None:
        """Take the tenant's names: another name's key → the canonical name."""
        self._aliases = {alias: canonical_tag(name) for alias, name in (aliases or {}).items()}
        self._known: dict[str, str] = {}
        self._phrases: dict[str, list[tuple[frozenset[str], str]]] = {}
        names = {**TAG_NAMES, **self._aliases, **{name: name for name in self._aliases.values()}}
        for phrase, name in names.items():
            parts = [stem(part) for part in phrase.replace("-", " ").split()]
            if len(parts) > 1:
                self._phrases.setdefault(parts[0], []).append((frozenset(parts), self.word(name)))

    def canonical(self, keywords: Iterable[str]) -> frozenset[str]:
        """Return the keywords, each once in its one spelling; words that make up a known name become it."""
        found = {name for keyword in keywords if (name := self.word(keyword))}
        for word in sorted(found):
            for parts, name in self._phrases.get(word, ()):
                if parts <= found:
                    found = (found - parts) | {name}
        return frozenset(found)

    def word(self, keyword: str) -> str:
        """Return one keyword's spelling; forms of one English word are one."""
        if keyword not in self._known:
            plain = canonical_tag(keyword)
            plain = self._aliases.get(name_key(plain), plain)
            self._known[keyword] = " ".join(map(stem, plain.split()))
        return self._known[keyword]
