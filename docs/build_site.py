"""
Write the pages of the documentation site: `make docs` builds it from them.

The pages are those of this folder. README.md is the first one, what leads to a file of the repository becomes
plain text, and `llms.txt` lists the pages for models (https://llmstxt.org). Standard library alone.

    python docs/build_site.py FOLDER
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
NAME, SUMMARY = "Candor", "A memory that does not lie to itself, for fleets of AI agents."

_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)")
_ROW = re.compile(r"^\| ([a-z][a-z ]+) \| (.*) \|$", re.MULTILINE)


def main(folder: Path) -> None:
    """Write pages, configuration and llms.txt into a folder."""
    pages = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    texts = {page: localised((DOCS / page).read_text("utf-8"), page) for page in pages}
    made = folder / "docs"  # what `build_reference.py` has left there
    texts |= {one.relative_to(made).as_posix(): one.read_text("utf-8") for one in made.rglob("*.md")}
    readme = (ROOT / "README.md").read_text("utf-8")
    texts["index.md"] = localised(readme.replace("](docs/", "]("), "index.md")
    for page, text in texts.items():
        target = folder / "docs" / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    for picture in sorted([*DOCS.glob("screenshots/*.png"), *DOCS.glob("pictures/*.svg")]):
        target = folder / "docs" / picture.relative_to(DOCS)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(picture.read_bytes())
    (folder / "docs" / "llms.txt").write_text(llms(texts), "utf-8")
    (folder / "zensical.toml").write_text(configuration(readme, texts), "utf-8")


def localised(text: str, page: str) -> str:
    """Return a page whose links lead to pages: what leads to another file of the repository is plain text."""
    here = (DOCS / page).parent

    def local(match: re.Match[str]) -> str:
        told, target = match[1], match[2].partition("#")[0]
        if not target or "://" in target:
            return match[0]
        aim = (here / target).resolve()
        is_page = aim.suffix in {".md", ".png"} and aim.is_relative_to(DOCS) and aim.exists()
        return match[0] if is_page else told

    return _LINK.sub(local, text)


def llms(texts: dict[str, str]) -> str:
    """Return the list of pages for models: a title and the first sentence of each."""
    listed = [
        f"- [{title(text)}]({page}): {first_sentence(text)}"
        for page, text in sorted(texts.items())
        if "/" not in page and page != "index.md"
    ]
    return "\n".join([f"# {NAME}", "", f"> {SUMMARY}", "", "## Pages", "", *listed, ""])


def configuration(readme: str, texts: dict[str, str]) -> str:
    """Return zensical.toml: the pages by reader, as README lists them; nothing is fetched from elsewhere."""
    nav: list[dict[str, object]] = [{"Candor": "index.md"}, {"Start": "start.md"}]
    listed = {"index.md", "start.md"}
    for who, row in _ROW.findall(readme[readme.index("## Where to read on") :]):
        found = dict.fromkeys(re.findall(r"\]\(docs/([\w-]+\.md)\)", row))
        mine = [page for page in found if page not in listed]
        listed.update(mine)
        if mine:
            nav.append({who.capitalize(): [{title(texts[page]): page} for page in mine]})
    reference = sorted(page for page in texts if page.startswith("reference/") and "README" not in page)
    if reference:
        nav.append({"API reference": ["reference/README.md", *reference]})
    decisions = sorted(page for page in texts if re.match(r"decisions/\d", page))
    nav.append({"Decisions": ["decisions/README.md", *decisions]})
    lines = [
        "[project]", f"site_name = {json.dumps(NAME)}", f"site_description = {json.dumps(SUMMARY)}",
        'docs_dir = "docs"', 'site_dir = "site"', f"nav = {_toml(nav)}",
        "", "[project.theme]", "font = false", 'features = ["navigation.indexes", "search.highlight"]', "",
    ]  # fmt: skip
    return "\n".join(lines)


def title(text: str) -> str:
    """Return a page's title without marks."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return re.sub(r"[`*]", "", found[1]) if found else NAME


def first_sentence(text: str) -> str:
    """Return the first sentence of a page that is neither title, code nor table."""
    for block in re.sub(r"```.*?```", "", text, flags=re.DOTALL).split("\n\n"):
        plain = " ".join(_LINK.sub(r"\1", block).split())
        if plain and not plain.startswith(("#", "|", "-", "    ", "Status")):
            return re.split(r"(?<=[.:?!]) ", plain)[0].rstrip(":")
    return ""


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
