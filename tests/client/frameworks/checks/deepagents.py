"""A graph, DeepAgents' backend for a LangGraph store, and langmem's tools, over Candor's store."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

from deepagents.backends import StoreBackend
from langmem import create_manage_memory_tool, create_search_memory_tool

from candor import Candor
from candor.adapters.langgraph import CandorStore

with Candor() as client:
    store = CandorStore(client)
    backend = StoreBackend(store=store, namespace=lambda _: ("depots", "files"))
    assert backend.write("/notes/porto.md", "The Porto depot opens at six.\nIt has a ramp.\n").error is None
    assert backend.edit("/notes/porto.md", "at six", "at seven").occurrences == 1
    read = backend.read("/notes/porto.md")
    assert read.file_data["content"].startswith("The Porto depot opens at seven."), read
    listed = backend.ls("/notes").entries
    assert [one["path"] for one in listed] == ["/notes/porto.md"], listed
    [match] = backend.grep("ramp").matches
    assert (match["path"], match["line"]) == ("/notes/porto.md", 2), match
    assert [one["path"] for one in backend.glob("*.md").matches] == ["/notes/porto.md"]
    assert backend.read("/notes/lisbon.md").error

    manage = create_manage_memory_tool(namespace=("depots", "memories"), store=store)
    find = create_search_memory_tool(namespace=("depots", "memories"), store=store)
    manage.invoke({"content": "Rui eats no fish.", "action": "create"})
    assert "no fish" in str(find.invoke({"query": "what does Rui eat?"}))

page = (Path(__file__).resolve().parents[4] / "docs" / "start.md").read_text("utf-8")
code = next(one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "StateGraph" in one)
shown = next(one for one in re.findall(r"```text\n(.*?)```", page, re.DOTALL) if one.startswith("Known"))
out = io.StringIO()
with redirect_stdout(out):
    exec(compile(code, "docs/start.md", "exec"), {})
assert out.getvalue() == shown, out.getvalue()
