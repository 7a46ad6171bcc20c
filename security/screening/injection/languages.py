"""The orders of `injection_patterns.py` in further languages: the plainest forms only."""

from typing import Final

from security.screening.injection.patterns import DROP, HIDE, LEAK, UNBIND, Order, order

ELSEWHERE: Final[tuple[Order, ...]] = (
    order(
        DROP,
        "ignor",
        r"\bignor(?:a|e|ar|en|ez|er|iere?n?)\s+(?:\w+\s+){0,3}?",
        r"(?:instrucc?iones|instruções|istruzioni|consignes|anweisungen|anordnungen|reglas"
        r"|instructions\s+pr[ée]c)",
    ),
    order(
        DROP,
        "vergiss vergessen olvida oublie",
        r"\bverg(?:iss|essen)\s+(?:sie\s+)?(?:\w+\s+){0,2}(?:vorherigen?|bisherigen?|obigen?|früheren?)\s+",
        r"(?:anweisungen|befehle|regeln)|\bolvida\s+(?:\w+\s+){0,2}instrucciones",
        r"|\boublie[zr]?\s+(?:\w+\s+){0,3}(?:instructions|consignes)",
    ),
    order(
        DROP,
        "инструкции указания",
        r"\b(?:игнорируй|забудь)(?:те)?\s+(?:\w+\s+){0,2}(?:инструкции|указания)",
    ),
    order(
        HIDE,
        "usuario utilisateur",
        r"\bno\s+(?:menciones|digas|reveles)\s+(?:\w+\s+){0,3}al\s+usuario",
        r"|\bne\s+(?:mentionne|dis|révèle)[zs]?\s+(?:\w+\s+){0,3}(?:à\s+l')?utilisateur",
    ),
    order(
        DROP,
        "richtlinien vorgaben dimentica esque olvid oubli",
        r"\bignorier(?:e|en\s+sie)\s+(?:\w+\s+){0,2}(?:deine|ihre|alle)\s+(?:\w+\s+)?(?:richtlinien|vorgaben"
        r"|regeln)\b",
        r"|\bdimentica(?:te)?\s+(?:\w+\s+){0,2}(?:istruzioni|regole)|\besque[çc]a\s+(?:\w+\s+){0,3}"
        r"(?:instruções|regras)",
        r"|\bolvid[ae]\s+(?:\w+\s+){0,2}(?:instrucciones|reglas)|\boublie[zr]?\s+(?:\w+\s+){0,2}(?:règles"
        r"|regles)",
    ),
    order(
        LEAK,
        "instrucciones instructions istruzioni systemprompt instruções systemanweisungen",
        r"\brevela\s+(?:tus|sus)\s+instrucciones|\b(?:révèle|revele|montre|affiche)[sz]?(?:-moi)?\s+(?:tes"
        r"|vos)\s+instructions",
        r"|\b(?:rivela|mostra)(?:mi)?\s+le\s+tue\s+istruzioni|\brevele\s+(?:as\s+)?suas\s+instruções",
        r"|\b(?:zeig|nenne|verrate?)(?:e|\s+mir)?\s+(?:deinen?|ihren?|die)\s+(?:system-?prompt"
        r"|systemanweisungen)",
    ),
    order(
        UNBIND,
        "règles regles reglas regole regeln richtlinien linee restrictions restricciones restrizioni",
        r"\b(?:règles|regles)\s+de\s+s[ée]curit[ée]\s+ne\s+s'appliquent\s+p(?:as|lus)",
        r"|\b(?:reglas|normas)\s+de\s+seguridad\s+(?:ya\s+)?no\s+se\s+aplican",
        r"|\b(?:linee\s+guida|regole)\s+di\s+sicurezza\s+non\s+(?:valgono|si\s+applicano)",
        r"|\bsicherheits(?:regeln|richtlinien)\s+gelten\s+(?:hier\s+)?nicht",
        r"|\br[ée]pond(?:s|ez|re)\s+sans\s+(?:aucune\s+)?restrictions?|\bresponde\s+sin\s+restricciones",
        r"|\b(?:rispondi|rispondere)\s+senza\s+restrizioni|\bantworte\s+ohne\s+(?:jede\s+)?einschränkungen",
        courteous=False,
    ),
)
