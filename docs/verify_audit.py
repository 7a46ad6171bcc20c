"""Verify an export of the audit without Candor: verify_audit.py EXPORT [CHECKPOINTS PUBLIC_KEY]; audit.md."""

# fmt: off
import json
import sys
from base64 import b64decode
from hashlib import sha256, sha512
from pathlib import Path

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, unhex = -121665 * pow(121666, P - 2, P) % P, bytes.fromhex
SIGNED = ("form", "tenant", "first", "seq", "hash", "marks", "at", "former", "key")
ERASED = ("00000000-0000-0000-0000-000000000000", "", "{}")
PLAIN = ("at", "actor_kind", "actor_id", "action", "object_type", "object_id", "classification")

def need(holds, what):
    return holds or sys.exit(f"BROKEN: {what}")
def joined(*parts):
    return b"".join(b"%d:%b," % (len(raw), raw) for raw in (str(part).encode() for part in parts))
def add(p, q):
    t, x, y = D * p[0] * p[1] * q[0] * q[1], p[0] * q[1] + p[1] * q[0], p[1] * q[1] + p[0] * q[0]
    return x * pow(1 + t, P - 2, P) % P, y * pow(1 - t, P - 2, P) % P
def mul(n, p):
    return (0, 1) if n == 0 else add(mul(n // 2, add(p, p)), p if n & 1 else (0, 1))
def point(raw):
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    xx = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(xx, (P + 3) // 8, P) * (1 if pow(xx, (P - 1) // 4, P) == 1 else pow(2, (P - 1) // 4, P)) % P
    return (x if x & 1 == raw[31] >> 7 else P - x), y
def is_signed(key, message, signature):  # Ed25519, RFC 8032
    n = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % L
    s = int.from_bytes(signature[32:], "little")
    base = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    return s < L and mul(s, base) == add(point(signature[:32]), mul(n, point(key)))
c, marks, former, seq, prev, hidden, gone, counted = {}, {}, "", 0, "0" * 64, 0, 0, {}
lines = Path(sys.argv[2]).read_bytes().split(b"\n")[:-1] if len(sys.argv) > 3 else []  # a torn one left out
for raw in lines:
    c = json.loads(raw)
    need(c["former"] == former, f"checkpoint of {c['at']}: out of place")
    former, bits = sha256(raw).hexdigest(), b64decode(c["marks"]).hex()
    marks |= {c["first"] + n // 8: bits[n : n + 8] for n in range(0, len(bits), 8)} | {c["seq"]: c["hash"]}
need(not c or is_signed(unhex(sys.argv[3]), joined(*map(c.get, SIGNED)), unhex(c["signature"])),
     "the last checkpoint is not signed by this key")
for x in map(json.loads, Path(sys.argv[1]).open(encoding="utf-8")):  # noqa: SIM115
    seq, prev = (seq, prev) if seq or x["seq"] == 1 else (x["seq"] - 1, x["prev_hash"])  # a later part
    seq, e, hidden = seq + 1, x["event"], hidden + (not x["event"])
    place = (seq, prev, c.get("tenant", x["tenant"]))
    need((x["seq"], x["prev_hash"], x["tenant"]) == place, f"seq {seq}: missing, or out of place")
    if e:  # else it is above the clearance of who exported, and its hashes alone hold the chain together
        payload = e["salt"], e["reason"], e["detail"]
        body = sha256(joined(*payload)).hexdigest()
        if payload == ERASED and body != x["payload_hash"]:  # what it said is gone, that it was said is not
            gone, body = gone + 1, x["payload_hash"]
        made = sha256(joined(x["id"], *map(e.get, PLAIN), body)).hexdigest()
        need((body, made) == (x["payload_hash"], x["event_hash"]), f"seq {seq}: the event was altered")
        counted = {} if e["action"] == "audit.checkpoint_restart" else counted  # those before are given up
        if e["action"] == "audit.checkpoint":
            counted |= {int(e["object_id"][5:]): json.loads(e["detail"]).get("line", "")}
    prev = sha256(joined(x["form"], x["tenant"], seq, prev, x["event_hash"])).hexdigest()
    need(prev == x["hash"] and prev.startswith(marks.get(seq, "")), f"seq {seq}: altered or rewritten")
need(seq >= c.get("seq", 0), f"seq {seq + 1}: cut off; a checkpoint knows of {c.get('seq')}")
for n, line in counted.items() if len(sys.argv) > 3 else ():
    found = sha256(lines[n - 1]).hexdigest() if n <= len(lines) else None
    need(found and line in ("", found), f"checkpoint {n}: missing, or another than was counted")
told = f"{hidden} events withheld, {gone} payloads erased, {len(counted)} checkpoints counted"
print(f"holds up to seq {seq}; {told}; signed up to {c.get('seq', 0)}")
