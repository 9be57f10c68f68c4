#!/usr/bin/env python3
"""Checks a drawing's proof. Written from docs/drawing.md alone. Exit codes: 0 when no check of section 10 fails, 1 when
one fails, 2 when the input cannot be read."""
import argparse, datetime, functools, hashlib, itertools, json, pathlib, re, struct, sys

import drand

SCHEME, OFF, ZEROS = "tombola-drawing/1", "off", bytes(32)
MAX_RANKS, MAX_OUTPUTS = 10, 2**20
WORD, TEXT, TIME = "[!-~]+", "(?s).*", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
ENTRY = {"id": int, "action": WORD, "drawing": (int,), "details": (TEXT,), "randomSeed": (32,), "participantCount": (int,),
         "verificationHash": (32,), "session": (int,), "at": TIME, "previous": 32, "hash": 32}
PROVEN = {"leaf": {"index": int, "firstEntry": int, "weight": int, "blindedId": 24}, "path": [32]}
SEALED = {"status": WORD, "scheme": WORD, "drawing": int, "landingPage": WORD, "period": WORD, "kind": WORD, "cutOff": TIME,
          "commitment": 32, "committedAt": TIME, "seedSource": WORD, "version": (TEXT,), "seed": 32, "root": 32, "weightsHash": 32,
          "totalParticipants": int, "totalEntries": int, "announcement": ENTRY, "seal": ENTRY, "last": PROVEN,
          "beacon": {"chainHash": WORD, "round": int}}
VOID = {**SEALED, "lateRound": ({"signature": 48, "entryNumber": int},)}
RANK = {"rank": int, "entryNumber": int, **PROVEN}
DRAWN = {**SEALED, "beacon": {**SEALED["beacon"], "randomness": 32, "signature": (48,), "warning": (".*",)}, "winningEntryNumber": int,
         "winner": PROVEN, "ranks": [RANK], "drawnAt": TIME, "verificationHash": 32}
PRIZE = {"name": TEXT, "valueInCents": int, "kit": [{"item": TEXT, "detail": TEXT, "valueInCents": int}]}
VERSION, RULES = {"number": int, "hash": 32}, {"version": int, "hash": 32}
REPLACED, A_DAY = {"drawing": int, "root": 32, "weightsHash": 32}, 24 * 3600 * 1_000_000  # in microseconds
WITNESSED, NOT_WITNESSED = "sealed before the beacon", "time of seal not witnessed"
COULD_HAVE_KNOWN = "the operator could have known the winner"
WARNING = "The operator could have known the winner of this drawing."
LOG = "id action drawing details randomSeed participantCount verificationHash session at previous".split()
HEADER = "index,firstEntry,weight,blindedId\n"
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
def tag(person_salt, number): return sha256(b"\x04" + person_salt + number.encode("ascii"))
def blinded_id(salt, entrant_id, tag): return sha256(b"\x03" + salt + u64(entrant_id) + tag)[:24]
def weights_hash(weights): return sha256(b"".join(map(u64, weights)))
def leaf_hash(index, first, weight, blinded): return sha256(b"\x00" + u64(index) + u64(first) + u64(weight) + blinded)
def node(left, right): return sha256(b"\x01" + left + right)

def leaves(salt_key, entrants):  # yields (salt, arguments of leaf_hash) for each (id, weight, tag)
    first = 1
    for index, (salt, (entrant_id, weight, tag)) in enumerate(zip(salts(salt_key), entrants)):
        yield salt, (index, first, weight, blinded_id(salt, entrant_id, tag))
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

def text_of(title, fields): return f"{SCHEME} {title}\n" + "".join(f"{name} {value}\n" for name, value in fields)
def log_text(entry): return text_of("log", ((k, "-" if entry.get(k) is None else entry[k]) for k in LOG))

def read(value, kind, name="body"):  # a kind n means n bytes in hexadecimal; (kind,) is that kind or null
    if type(kind) is tuple: return None if value is None else read(value, kind[0], name)
    if type(value) is type(kind) is dict: return {key: read(value.get(key), kind[key], key) for key in kind}
    if type(value) is type(kind) is list: return [read(item, kind[0], name) for item in value]
    if type(value) is type(kind) is str and re.fullmatch(kind, value, re.ASCII): return value
    if type(value) is kind is int and 0 <= value < 2**53: return value
    if (type(value), type(kind)) == (str, int) and re.fullmatch("[0-9a-f]{%d}" % (2 * kind), value): return Hex.fromhex(value)
    raise ValueError(f"the proof's {name} is missing or invalid")

def list_matches(lines, proof, known):
    """Whether the list is the proof's, and has the known leaves."""
    is_list, count, first = next(lines, None) == HEADER, 0, 1
    weights, missing = hashlib.sha256(), {*known}
    def hashes():
        nonlocal is_list, count, first
        for line in lines:
            if not (match := LINE.fullmatch(line)): raise ValueError(f"line {count + 2} of the list cannot be read")
            leaf = *map(int, match.group(1, 2, 3)), bytes.fromhex(match[4])
            is_list = is_list and leaf[:2] == (count, first) and leaf[2] >= 1
            count, first = count + 1, first + leaf[2]
            weights.update(u64(leaf[2]))
            missing.discard(leaf)
            yield leaf_hash(*leaf)
    has_root = root(hashes()) == proof["root"]
    totals = proof["totalParticipants"], proof["totalEntries"]
    return has_root and is_list and not missing and (count, first - 1, weights.digest()) == (*totals, proof["weightsHash"])

def log_hash(entry): return sha256(log_text(entry).encode())
def leaf_of(proven): return tuple(proven["leaf"].values())
def members_of(text):
    """The members of a JSON object; none when the text is something else."""
    try: members = json.loads(text)
    except (TypeError, ValueError, RecursionError): return {}
    return members if type(members) is dict else {}

def details(entry): return members_of(entry["details"])

def is_same(value, other):
    """Whether two values of JSON are equal. Python's True == 1 == 1.0 is none of JSON."""
    return spelled(str(value) if isinstance(value, Hex) else value) == spelled(other)

def spelled(value): return json.dumps(value, sort_keys=True)  # objects that differ in the order of their members are equal

def record_text(proof):
    beacon = proof["beacon"]
    fields = [("drawing", proof["drawing"]), ("raffle", proof["landingPage"]), ("period", proof["period"]),
              ("kind", proof["kind"]), ("opening", proof["announcement"]["hash"]), ("seal", proof["seal"]["hash"]),
              *((name, proof[name]) for name in ("seed", "root", "weightsHash", "totalParticipants", "totalEntries")),
              ("beacon", beacon["chainHash"]), ("round", beacon["round"]), ("signature", beacon["signature"] or "-"),
              ("randomness", beacon["randomness"]),
              ("entryNumbers", ",".join(str(rank["entryNumber"]) for rank in proof["ranks"])), ("drawnAt", proof["drawnAt"])]
    return text_of("record", fields)

def draw_key(opening, seed, tree_root, weights_hash, size, entries, beacon_round, randomness):
    return sha256(b"tombola-drawing/1 winner" + opening + seed + tree_root + weights_hash + u64(size) + u64(entries)
                  + u64(beacon_round) + randomness)

def key_of(proof, randomness=None):
    is_off = proof["beacon"]["chainHash"] == OFF
    tree_root, randomness = (ZEROS, ZEROS) if is_off else (proof["root"], randomness or proof["beacon"]["randomness"])
    return draw_key(proof["announcement"]["hash"], proof["seed"], tree_root, proof["weightsHash"], proof["totalParticipants"],
                    proof["totalEntries"], proof["beacon"]["round"], randomness)

def drawn_entries(key, entries):
    """The entry that each output draws, in order, without the outputs that are skipped."""
    limit = 2**64 - 2**64 % entries
    outputs = (x for block in chacha20(key) for x in struct.unpack("<8Q", block))
    return (1 + x % entries for x in itertools.islice(outputs, MAX_OUTPUTS) if x < limit)

def has_entry(leaf, entry): return leaf[1] <= entry < leaf[1] + leaf[2]

def ranks_match(key, size, entries, ranks):
    """Whether the key draws these ranks. Their leaves show who was drawn before, so this needs no list."""
    wanted, seen = min(MAX_RANKS, size), []
    for entry in drawn_entries(key, entries) if entries else ():
        if any(has_entry(leaf, entry) for leaf in seen): continue
        if len(seen) == len(ranks): return False
        rank, leaf = ranks[len(seen)], leaf_of(ranks[len(seen)])
        if (rank["rank"], rank["entryNumber"]) != (len(seen), entry) or not has_entry(leaf, entry): return False
        seen.append(leaf)
        if len(seen) == wanted: break
    return 0 < len(seen) == len(ranks)

def is_announcement(proof):
    entry, members, beacon = proof["announcement"], details(proof["announcement"]), proof["beacon"]
    wanted = {name: proof[name] for name in ("scheme", "landingPage", "period", "kind", "commitment", "seedSource")}
    wanted |= {"beacon": beacon["chainHash"], "round": beacon["round"]}
    return (log_hash(entry) == entry["hash"] and (entry["action"], entry["drawing"]) == ("drawing_announced", proof["drawing"])
            and entry["at"] == proof["committedAt"] and all(is_same(wanted[name], members.get(name)) for name in wanted)
            and names_prize(members) and "replaces" in members and fits(members["replaces"], (REPLACED,))
            and fits(members.get("rules"), RULES))

def fits(value, kind):
    """Whether a value has this shape."""
    try: read(value, kind)
    except ValueError: return False
    return True

def names_prize(members):
    """Whether an announcement names a prize, and the version that promises it or null."""
    if "version" not in members or not fits(members.get("prize"), PRIZE): return False
    version = members["version"]
    return version is None or fits(version, VERSION) and version["number"] >= 1

def is_promised(proof):
    """Whether the prize is the one that the published version promises; one of its own has no version, and is additional."""
    announced, text = details(proof["announcement"]), proof["version"]
    if not names_prize(announced): return False
    prize, version = announced["prize"], announced["version"]
    if version is None or text is None: return version is text and announced.get("kind") == "additional"
    return sha256(text.encode()).hex() == version["hash"] and promises(members_of(text), prize)

def promises(content, prize):
    """Whether what a raffle says promises this prize. Other members of it do not matter."""
    total = content.get("totalValue")
    dollars = total.get("dollars") if type(total) is dict else None
    return (is_same(content.get("name"), prize["name"]) and is_same(content.get("kit"), prize["kit"])
            and type(dollars) is int and dollars * 100 == prize["valueInCents"])

def takes_list(proof, replaced):
    """Whether the seal has the list that was announced, a day later; or none was."""
    if replaced is None or not fits(replaced, REPLACED): return True  # the check of the announcement fails then
    members, times = details(proof["seal"]), (time_of(proof["committedAt"]), time_of(proof["seal"]["at"]))
    is_taken = all(is_same(replaced[name], members.get(name)) for name in ("root", "weightsHash"))
    return is_taken and None not in times and times[1] - times[0] >= A_DAY

def is_seal(proof):
    entry, members, opening = proof["seal"], details(proof["seal"]), details(proof["announcement"])
    wanted = {name: proof[name] for name in ("cutOff", "root", "weightsHash", "totalEntries")}
    wanted |= {"opening": proof["announcement"]["hash"], "round": proof["beacon"]["round"]}
    return (log_hash(entry) == entry["hash"] and (entry["action"], entry["drawing"]) == ("drawing_sealed", proof["drawing"])
            and entry["id"] > proof["announcement"]["id"] and is_in_time(entry["at"], opening.get("sealBefore"))
            and all(is_same(wanted[name], members.get(name)) for name in wanted)
            and (entry["randomSeed"], entry["participantCount"]) == (proof["seed"], proof["totalParticipants"])
            and opening.get("cutOff") in (None, proof["cutOff"]) and takes_list(proof, opening.get("replaces")))

def is_in_time(at, seal_before):
    """Times have one length and one zone, so they are in order as texts."""
    is_time = type(seal_before) is str and re.fullmatch(TIME, seal_before, re.ASCII) is not None
    return seal_before is None or is_time and at <= seal_before

def time_of(text):
    """Microseconds of Unix time; None when the text is no time."""
    try: moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ") if re.fullmatch(TIME, text, re.ASCII) else None
    except (TypeError, ValueError): return None
    return moment and (moment - datetime.datetime(1970, 1, 1)) // datetime.timedelta(microseconds=1)

def beacon_check(proof, chain, verify):
    """Whether the beacon's value is right (None if that cannot be checked), and what to say about it."""
    beacon, seal_before = proof["beacon"], details(proof["announcement"]).get("sealBefore", "")
    beacon_round, signature, randomness = beacon["round"], beacon["signature"], beacon["randomness"]
    if beacon["warning"] != (WARNING if beacon["chainHash"] == OFF else None): return False, None
    if beacon["chainHash"] == OFF:
        return (beacon_round, signature, randomness, seal_before) == (0, None, ZEROS, None), COULD_HAVE_KNOWN
    chain = next((each for each in (drand.QUICKNET, chain) if each and each["chainHash"] == beacon["chainHash"]), None)
    if signature is None or sha256(signature) != randomness: return False, None if chain else COULD_HAVE_KNOWN
    if not chain: return None, COULD_HAVE_KNOWN
    due, last_moment = chain["genesisTime"] + (beacon_round - 1) * chain["period"], time_of(seal_before)
    if last_moment is None or last_moment >= due * 1_000_000: return False, None
    is_valid = verify(chain["publicKey"], beacon_round, str(signature))
    return is_valid, None if is_valid is not None else drand.NOT_CHECKED

def late_round_check(proof, chain, verify):
    """Whether the late round of a void drawing is the beacon's and would have drawn this entry, and what to say about it."""
    beacon, late = proof["beacon"], proof["lateRound"]
    chain = next((each for each in (drand.QUICKNET, chain) if each and each["chainHash"] == beacon["chainHash"]), None)
    entries = drawn_entries(key_of(proof, sha256(late["signature"])), proof["totalEntries"]) if proof["totalEntries"] else ()
    if beacon["round"] == 0 or next(iter(entries), None) != late["entryNumber"]: return False, None
    is_valid = verify(chain["publicKey"], beacon["round"], str(late["signature"])) if chain else None
    return is_valid, None if is_valid is not None else drand.NOT_CHECKED

def witness_check(copy, proof):
    """Whether a copy of the log agrees with the proof, and what to say about the seal's time."""
    previous, agrees, has_seal, is_late = None, True, False, proof["beacon"]["chainHash"] == OFF
    steps = {proof[step]["id"]: proof[step]["hash"] for step in ("announcement", "seal")}
    for entry in copy:
        before = (previous["id"] + 1, previous["hash"]) if previous else (entry["id"], ZEROS if entry["id"] == 1 else entry["previous"])
        agrees &= (entry["id"], entry["previous"]) == before and log_hash(entry) == entry["hash"]
        agrees &= entry["hash"] == steps.get(entry["id"], entry["hash"])
        is_seal = (entry["action"], entry["drawing"]) == ("drawing_sealed", proof["drawing"])
        agrees &= not is_seal or entry["id"] == proof["seal"]["id"]
        has_seal |= entry["id"] == proof["seal"]["id"]
        is_late |= (entry["action"], entry["drawing"]) == ("drawing_performed", proof["drawing"])
        previous = entry
    return agrees, WITNESSED if agrees and has_seal and not is_late else NOT_WITNESSED

def is_drawn(proof): return proof["status"] == "drawn"
def read_log(lines): return (read(json.loads(line), ENTRY, "log") for line in lines)
def read_proof(value):
    status = read(value, {"status": "sealed|drawn|void"})["status"]
    if status != "drawn" and {"winningEntryNumber", "winner", "ranks"} & {*value}:
        raise ValueError("the proof names a winner, but its status is not drawn")
    if "version" not in value: raise ValueError("the proof's version is missing or invalid")
    if status != "void" and "lateRound" in value: raise ValueError("the proof has a late round, but its status is not void")
    return read(value, {"drawn": DRAWN, "void": VOID, "sealed": SEALED}[status])

def checks(proof, lines=None, log=None, chain=None, verify=None):
    """Yields the name of each check of section 10, whether it passes (None if it cannot be checked), and a remark."""
    tree_root, size, entries, last = proof["root"], proof["totalParticipants"], proof["totalEntries"], leaf_of(proof["last"])
    is_end = (last[0] + 1, last[1] + last[2] - 1) == (size, entries)
    yield "scheme", proof["scheme"] == SCHEME, None
    yield "announcement", is_announcement(proof), None
    yield "prize", is_promised(proof), None
    yield "seal", is_seal(proof), None
    yield "seed", sha256(proof["seed"]) == proof["commitment"], None
    yield "lastLeaf", is_end and is_under(tree_root, size, last, proof["last"]["path"]), None
    known = [last]
    if is_drawn(proof):
        yield "beacon", *beacon_check(proof, chain, verify or drand.verify)
        yield from draw_checks(proof)
        known += map(leaf_of, proof["ranks"])
    if proof.get("lateRound"): yield "lateRound", *late_round_check(proof, chain, verify or drand.verify)
    if lines: yield "list", list_matches(lines, proof, known), None
    yield "witness", *(witness_check(log, proof) if log else (None, NOT_WITNESSED))

def draw_checks(proof):
    tree_root, size, ranks = proof["root"], proof["totalParticipants"], proof["ranks"]
    yield "rankLeaves", all(is_under(tree_root, size, leaf_of(rank), rank["path"]) for rank in ranks), None
    drawn = ranks_match(key_of(proof), size, proof["totalEntries"], ranks)
    first = drawn and {**{name: ranks[0][name] for name in PROVEN}, "entryNumber": ranks[0]["entryNumber"]}
    yield "draw", first == {**proof["winner"], "entryNumber": proof["winningEntryNumber"]}, None
    yield "record", sha256(record_text(proof).encode()) == proof["verificationHash"], None

# The program

def report(results):
    """Prints each check's result. Whether one failed."""
    failed = False
    for name, passes, says in results:
        print({True: "ok    ", False: "FAILED", None: "?     "}[passes] + f" {name}" + (f": {says}" if says else ""), flush=True)
        failed |= passes is False
    return failed

def verify_file(arguments):
    value = json.loads(pathlib.Path(arguments.proof).read_bytes())
    lines = arguments.entrants and open(arguments.entrants, encoding="ascii", newline="\n")
    chain = arguments.chain and drand.read_chain(arguments.chain)
    log = arguments.log and read_log(open(arguments.log, encoding="utf-8", newline="\n"))
    proof = read_proof(value)
    failed = report(checks(proof, lines, log, chain))
    if not is_drawn(proof): print(f"The drawing is {proof['status']}: it has no winner to check.")
    if proof.get("lateRound"): print(f"Its round came too late; entry {proof['lateRound']['entryNumber']} would have won.")
    return failed

if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("proof", metavar="PROOF")
    options.add_argument("--entrants", metavar="FILE", help="the published list")
    options.add_argument("--log", metavar="FILE", help="a copy of the log from before the round")
    options.add_argument("--chain", metavar="FILE", help="the chain of a beacon other than quicknet")
    try: sys.exit(verify_file(options.parse_args()))
    except (OSError, ValueError, RecursionError) as error: options.exit(2, f"verify_drawing: {error}\n")
