#!/usr/bin/env python3
"""Checks a drawing's proof. Written from docs/drawing.md alone. Exit codes: 0 when every check of section 1.8 passes, 1
when a check fails, 2 when the input cannot be read."""
import argparse, functools, hashlib, itertools, json, pathlib, re, struct, sys

SCHEME = "tombola-drawing/1"
WORD, TIME = "[!-~]+", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
PROVEN = {"leaf": {"index": int, "firstEntry": int, "weight": int, "blindedId": 24}, "path": [32]}
RECORD = {"drawing": int, "landingPage": WORD, "commitment": 32, "committedAt": TIME, "seedSource": WORD, "seed": 32,
          "root": 32, "totalParticipants": int, "totalEntries": int, "winningEntryNumber": int, "drawnAt": TIME}
PROOF = {"scheme": WORD, **RECORD, "winner": PROVEN, "last": PROVEN, "verificationHash": 32}
LOG = "id action drawing details randomSeed participantCount verificationHash session at previous".split()
LINE = re.compile("(0|[1-9][0-9]{0,15}),(0|[1-9][0-9]{0,15}),(0|[1-9][0-9]{0,15}),([0-9a-f]{48})\n")
QUARTERS = [(i, 4 + (i + k) % 4, 8 + (i + 2 * k) % 4, 12 + (i + 3 * k) % 4) for k in (0, 1) for i in range(4)] * 10

class Hex(bytes): __str__ = bytes.hex  # bytes that print as hexadecimal digits
def sha256(data): return hashlib.sha256(data).digest()
def u64(number): return struct.pack(">Q", number)

def chacha20(key):  # yields the keystream in blocks of 64 bytes
    for counter in itertools.count():
        start = struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<QQ", counter, 0))
        words = [*start]
        for ia, ib, ic, id_ in QUARTERS:
            a, b, c, d = words[ia], words[ib], words[ic], words[id_]
            a = a + b & 0xFFFFFFFF; d ^= a; d = d << 16 & 0xFFFFFFFF | d >> 16
            c = c + d & 0xFFFFFFFF; b ^= c; b = b << 12 & 0xFFFFFFFF | b >> 20
            a = a + b & 0xFFFFFFFF; d ^= a; d = d << 8 & 0xFFFFFFFF | d >> 24
            c = c + d & 0xFFFFFFFF; b ^= c; b = b << 7 & 0xFFFFFFFF | b >> 25
            words[ia], words[ib], words[ic], words[id_] = a, b, c, d
        yield struct.pack("<16I", *(word + first & 0xFFFFFFFF for word, first in zip(words, start)))

def salts(salt_key): return (block[at:at + 16] for block in chacha20(salt_key) for at in range(0, 64, 16))
def blinded_id(salt, entrant_id): return sha256(b"\x02" + salt + u64(entrant_id))[:24]
def leaf_hash(index, first, weight, blinded): return sha256(b"\x00" + u64(index) + u64(first) + u64(weight) + blinded)
def node(left, right): return sha256(b"\x01" + left + right)

def leaves(salt_key, entrants):  # yields (salt, arguments of leaf_hash) for each (id, weight)
    first = 1
    for index, (salt, (entrant_id, weight)) in enumerate(zip(salts(salt_key), entrants)):
        yield salt, (index, first, weight, blinded_id(salt, entrant_id))
        first += weight

def root(hashes):  # keeps only the roots of full subtrees, to save memory. None without leaves
    peaks = []
    for count, tree in enumerate(hashes, 1):
        while count % 2 == 0: tree, count = node(peaks.pop(), tree), count // 2
        peaks.append(tree)
    return functools.reduce(lambda right, left: node(left, right), reversed(peaks)) if peaks else None

def is_under(tree_root, size, leaf, path):  # RFC 9162, section 2.1.3.2
    at, last, tree = leaf[0], size - 1, leaf_hash(*leaf)
    for sibling in path:
        if last == 0: return False
        is_right = at % 2 == 1 or at == last
        tree = node(sibling, tree) if is_right else node(tree, sibling)
        while is_right and at % 2 == 0 and at != 0: at, last = at // 2, last // 2
        at, last = at // 2, last // 2
    return leaf[0] < size and last == 0 and tree == tree_root

def winner_key(seed, tree_root, size, entries):
    return sha256(b"tombola-drawing/1 winner" + seed + tree_root + u64(size) + u64(entries))
def winning_entry(key, entries):  # the winning entry's number, and the outputs used to find it
    limit, outputs = 2**64 - 2**64 % entries, []
    for x in (x for block in chacha20(key) for x in struct.unpack("<8Q", block)):
        outputs.append(x)
        if x < limit: return 1 + x % entries, outputs

def text_of(title, fields): return f"{SCHEME} {title}\n" + "".join(f"{name} {value}\n" for name, value in fields)
def record_text(proof): return text_of("record", (("raffle" if k == "landingPage" else k, proof[k]) for k in RECORD))
def log_text(entry): return text_of("log", ((k, "-" if entry.get(k) is None else entry[k]) for k in LOG))

def read(value, kind, name="body"):  # checks the value against its kind; a kind n means n bytes in hexadecimal
    if type(value) is type(kind) is dict: return {key: read(value.get(key), kind[key], key) for key in kind}
    if type(value) is type(kind) is list: return [read(item, kind[0], name) for item in value]
    if type(value) is type(kind) is str and re.fullmatch(kind, value, re.ASCII): return value
    if type(value) is kind is int and 0 <= value < 2**53: return value
    if (type(value), type(kind)) == (str, int) and re.fullmatch("[0-9a-f]{%d}" % (2 * kind), value): return Hex.fromhex(value)
    raise ValueError(f"the proof's {name} is missing or invalid")

def list_matches(lines, tree_root, size, entries, known):
    matches, count, first = next(lines, None) == "index,firstEntry,weight,blindedId\n", 0, 1
    def hashes():
        nonlocal matches, count, first
        for line in lines:
            if not (match := LINE.fullmatch(line)): raise ValueError(f"line {count + 2} of the list cannot be read")
            leaf = *map(int, match.group(1, 2, 3)), bytes.fromhex(match[4])
            matches = matches and leaf[:2] == (count, first) and leaf[2] >= 1 and leaf == known.get(count, leaf)
            count, first = count + 1, first + leaf[2]
            yield leaf_hash(*leaf)
    return root(hashes()) == tree_root and matches and (count, first - 1) == (size, entries)

def checks(proof, lines):  # yields each check of section 1.8, and whether it passes
    seed, tree_root, size, entries, number = map(proof.get, [*RECORD][5:10])
    winner, last = (tuple(proof[at]["leaf"].values()) for at in ("winner", "last"))
    is_end = (last[0] + 1, last[1] + last[2] - 1) == (size, entries)
    drawn = entries and winning_entry(winner_key(seed, tree_root, size, entries), entries)[0]
    yield "1 the scheme is known", proof["scheme"] == SCHEME
    yield "2 the seed is the one committed to", sha256(seed) == proof["commitment"]
    yield "3 the winner's leaf is under the root", is_under(tree_root, size, winner, proof["winner"]["path"])
    yield "4 the last leaf is under the root", is_end and is_under(tree_root, size, last, proof["last"]["path"])
    yield "5 the seed and the root give the winning entry", number == drawn > 0
    yield "6 the winner holds that entry", winner[1] <= number < winner[1] + winner[2]
    yield "7 the verification hash is the record's", sha256(record_text(proof).encode()) == proof["verificationHash"]
    known = {winner[0]: winner, last[0]: last}
    if lines: yield "8 the list matches the proof", list_matches(lines, tree_root, size, entries, known)

if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("proof", metavar="PROOF")
    options.add_argument("--entrants", metavar="FILE")
    arguments, failed = options.parse_args(), False
    try:
        proof = read(json.loads(pathlib.Path(arguments.proof).read_bytes()), PROOF)
        for check, passes in checks(proof, arguments.entrants and open(arguments.entrants, encoding="ascii", newline="\n")):
            print("ok    " if passes else "FAILED", check, flush=True)
            failed |= not passes
    except (OSError, ValueError, RecursionError) as error:
        options.exit(2, f"verify_drawing: {error}\n")
    sys.exit(failed)
