"""What a Chinese question takes for granted: «既然仓库搬到了嘉定，怎么走？» tells where the warehouse is."""

from typing import Final

from security.patterns import bounded

_ASKS: Final = bounded(
    r"怎么|怎样|怎麼|怎樣|如何|什么|什麼|为什么|为何|哪[个些种里家款天位]|谁|誰|几[点个天]|多少|多久|吗|"
    r"呢[?？]?$|"
    r"是不是|是否|能不能|可不可以|可否|能否|要不要|该不该|好不好|有没有(?=.*[?？])|请问|[?？]|"
    r"^(?:你)?能(?:帮|不能|推荐|告诉)|帮(?:我|忙)|有什么(?:建议|办法|推荐)|给我(?:推荐|建议|出)"
)
_LEAD: Final = bounded(
    r"^(?:那么?|所以|另外|还有|对了|请问)?(?:既然|因为|由于|考虑到|鉴于|自从|毕竟|虽然|尽管|現在|现在)"
    r"(?=.{3})(?:是因为)?"
)
_LINK: Final = bounded(r"^(?:那么?|所以|因此|但是?|不过|然后|而且|并且)")
_PIECE: Final = bounded(r"[^,，;；。!！]+[,，;；。!！?？]*")
_IF: Final = bounded(r"^(?:如果|要是|假如|假设|若|万一|当)")


def find_borders_zh(text: str, *, asks: bool) -> list[tuple[int, int]] | None:
    """Return where each told part of an asking sentence begins and ends; None if it asks nothing."""
    pieces = [(match.start(), match.end()) for match in _PIECE.finditer(text)]
    asking = [bool(_ASKS.search(text[start:end])) for start, end in pieces]
    if not any(asking) or (not asks and not asking[-1]):
        return None
    told: list[tuple[int, int]] = []
    for (start, end), asked in zip(pieces, asking, strict=True):
        piece = text[start:end]
        if asked or _IF.match(piece):
            continue
        skipped = _skip(piece)
        joined = told and told[-1][1] == start and not skipped
        if joined:
            told[-1] = (told[-1][0], end)
        else:
            told.append((start + skipped, end))
    return told


def _skip(piece: str) -> int:
    """Return how many characters only lead up to a clause."""
    lead = _LEAD.match(piece) or _LINK.match(piece)
    return lead.end() if lead else 0
