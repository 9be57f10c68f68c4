#!/usr/bin/env python3
"""Writes docs/drawing-vectors.json; with --check, compares it instead. All values are derived with SHA-256, except the
rounds of the beacon, which are real."""
import hashlib, itertools, json, pathlib, struct, sys

import drand
import verify_drawing as scheme

FILE = pathlib.Path(__file__).resolve().parents[2] / "docs/drawing-vectors.json"
MAX_NUMBER = 2**53 - 1


def pseudo_random(*names):
    """32 bytes derived from the names."""
    return hashlib.sha256("/".join(map(str, ("vectors", *names))).encode()).digest()


def number(largest, *names):
    """A number from 1 to largest, derived from the names."""
    return 1 + int.from_bytes(pseudo_random(*names), "big") % largest


def entrants_of(name, count, largest_id, largest_weight):
    ids = sorted({number(largest_id, name, "id", n) for n in range(count)})
    assert len(ids) == count
    return [(entrant_id, number(largest_weight, name, "weight", n)) for n, entrant_id in enumerate(ids)]


def path_to(index, hashes):
    """The inclusion path, as RFC 6962 section 2.1.1 defines it."""
    if len(hashes) == 1:
        return []
    half = 1 << (len(hashes) - 1).bit_length() - 1
    left, right = hashes[:half], hashes[half:]
    if index < half:
        return [*path_to(index, left), scheme.root(right)]
    return [*path_to(index - half, right), scheme.root(left)]


QUICKNET = drand.QUICKNET["chainHash"]
SIGNATURES = {  # of real rounds of quicknet
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    1001: "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41",
    1002: "ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e",
    657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
    32398885: "8f6d5ddd520329a4ce9a25db41c0552a5ac04bd56577138cbb0ec2b9326af2b8012c7dc2c5bcddc439d922c93a281d24",
}


def chain_file():
    """Another chain: its members sign with quicknet's key, so the signatures of real rounds are valid for it."""
    group_hash, key = pseudo_random("group"), bytes.fromhex(drand.QUICKNET["publicKey"])
    hashed = struct.pack(">I", 3) + struct.pack(">q", 1692803367) + key + group_hash + b"vectors"
    return {
        "chainHash": scheme.sha256(hashed).hex(),
        "publicKey": key.hex(),
        "genesisTime": 1692803367,
        "period": 3,
        "groupHash": group_hash.hex(),
        "beaconId": "vectors",
        "scheme": "bls-unchained-g1-rfc9380",
        "hosts": ["https://beacon.example"],
    }


def beacon_of(chain, beacon_round):
    if chain == scheme.OFF:
        off = {"chainHash": chain, "round": 0, "randomness": scheme.ZEROS.hex(), "signature": None}
        return {**off, "warning": scheme.WARNING}
    signature = SIGNATURES[beacon_round]
    randomness = scheme.sha256(bytes.fromhex(signature)).hex()
    return {"chainHash": chain, "round": beacon_round, "randomness": randomness, "signature": signature}


def people_of(name, entrants):
    """(id, weight, personSalt, number) for each (id, weight)."""
    return [
        (*entrant, pseudo_random(name, "person", n), f"+1{200 + number(700, name, 'area', n)}555{number(9999, name, n):04}")
        for n, entrant in enumerate(entrants)
    ]


class List:
    """A list computed with verify_drawing.py. Its entrants are in the order of their tags."""

    def __init__(self, salt_key, people):
        self.salt_key, self.people = salt_key, sorted(people, key=lambda person: scheme.tag(*person[2:]))
        self.tags = [scheme.tag(salt, phone) for _, _, salt, phone in self.people]
        tagged = [(*entrant[:2], tag) for entrant, tag in zip(self.people, self.tags)]
        self.salts, self.leaves = zip(*scheme.leaves(self.salt_key, tagged))
        self.compute()

    def compute(self):
        """Computes everything that follows from the leaves."""
        self.hashes = [scheme.leaf_hash(*leaf) for leaf in self.leaves]
        self.root = scheme.root(self.hashes)
        self.size, self.entries = len(self.leaves), sum(leaf[2] for leaf in self.leaves)
        self.weights_hash = scheme.weights_hash(leaf[2] for leaf in self.leaves)

    def path(self, index):
        return [sibling.hex() for sibling in path_to(index, self.hashes)]

    def csv(self):
        lines = (f"{index},{first},{weight},{blinded.hex()}\n" for index, first, weight, blinded in self.leaves)
        return scheme.HEADER + "".join(lines)

    def leaf(self, index):
        _, first, weight, blinded = self.leaves[index]
        return {"index": index, "firstEntry": first, "weight": weight, "blindedId": blinded.hex()}

    def secrets(self):
        return {
            "saltKey": self.salt_key.hex(),
            "entrants": [
                {"id": entrant_id, "weight": weight, "personSalt": salt.hex(), "number": phone}
                for entrant_id, weight, salt, phone in self.people
            ],
        }


class Drawing(List):
    """A list whose secrets are derived from a name, and the seed of its drawing."""

    def __init__(self, name, entrants):
        super().__init__(pseudo_random(name, "salt key"), people_of(name, entrants))
        self.name, self.seed = name, pseudo_random(name, "seed")
        self.commitment = scheme.sha256(self.seed)

    def proven(self, index):
        return {"leaf": self.leaf(index), "path": self.path(index)}

    def vector(self):
        return {
            "name": self.name,
            **self.secrets(),
            "leaves": [
                {
                    "tag": tag.hex(),
                    "salt": salt.hex(),
                    "blindedId": blinded.hex(),
                    "index": index,
                    "firstEntry": first,
                    "hash": leaf.hex(),
                }
                for tag, salt, (index, first, _, blinded), leaf in zip(self.tags, self.salts, self.leaves, self.hashes)
            ],
            "root": self.root.hex(),
            "weightsHash": self.weights_hash.hex(),
            "totalParticipants": self.size,
            "totalEntries": self.entries,
            "paths": [self.path(index) for index in range(self.size)],
            "csv": self.csv(),
        }


def ranks_of(key, leaves):
    """(entry, leaf) of each rank, and how many outputs it took; computed from the list, unlike in verify_drawing.py."""
    entries, ranks, seen, count = sum(leaf[2] for leaf in leaves), [], set(), 0
    limit = 2**64 - 2**64 % entries
    outputs = (x for block in scheme.chacha20(key) for x in struct.unpack("<8Q", block))
    for count, x in enumerate(itertools.islice(outputs, scheme.MAX_OUTPUTS), 1):
        if x >= limit:
            continue
        entry = 1 + x % entries
        leaf = next(leaf for leaf in leaves if leaf[1] <= entry < leaf[1] + leaf[2])
        if leaf[0] in seen:
            continue
        seen.add(leaf[0])
        ranks.append((entry, leaf))
        if len(ranks) == min(scheme.MAX_RANKS, len(leaves)):
            break
    return ranks, count


def draw_vector(name, weights, beacon_round=1000):
    """The ranks that a key gives; the key has made-up hashes."""
    firsts = itertools.accumulate(weights, initial=1)
    leaves = [(index, first, weight, b"") for index, (first, weight) in enumerate(zip(firsts, weights))]
    opening, seed, root = (pseudo_random("draw", name, what) for what in ("opening", "seed", "root"))
    randomness = scheme.sha256(bytes.fromhex(SIGNATURES[beacon_round])) if beacon_round else scheme.ZEROS
    root = root if beacon_round else scheme.ZEROS
    weights_hash = scheme.weights_hash(weights)
    key = scheme.draw_key(opening, seed, root, weights_hash, len(weights), sum(weights), beacon_round, randomness)
    outputs = (x for block in scheme.chacha20(key) for x in struct.unpack("<8Q", block))
    ranks, count = ranks_of(key, leaves)
    return {
        "name": name,
        "openingHash": opening.hex(),
        "seed": seed.hex(),
        "root": root.hex(),
        "weightsHash": weights_hash.hex(),
        "totalParticipants": len(weights),
        "totalEntries": sum(weights),
        "round": beacon_round,
        "randomness": randomness.hex(),
        "weights": weights,
        "key": key.hex(),
        "firstOutputs": [str(x) for x in itertools.islice(outputs, 20)],
        "outputsRead": count,
        "ranks": [{"entryNumber": entry, "index": leaf[0]} for entry, leaf in ranks],
    }


def has_rejection(vector):
    limit = 2**64 - 2**64 % vector["totalEntries"]
    return any(int(x) >= limit for x in vector["firstOutputs"][: vector["outputsRead"]])


def draws():
    total = 2**64 // 2049 + 1  # so 2^64 mod total is almost as large as it can be, and one output of 2049 is skipped
    near = [total // 16 + n for n in range(15)]
    near.append(total - sum(near))
    tries = (draw_vector(f"a total near 2^53 with rejections {n}", near) for n in itertools.count())
    return [
        draw_vector("one entrant", [3]),
        draw_vector("two entrants", [1, 2]),
        draw_vector("three entrants", [1, 3, 2]),
        draw_vector("twelve entrants", [number(5, "twelve", n) for n in range(12)]),
        draw_vector("twelve entrants, without a beacon", [number(5, "twelve", n) for n in range(12)], 0),
        draw_vector("one entrant has almost everything", [1] * 11 + [4000] + [1] * 11),
        draw_vector("one entrant has so much that the outputs end first", [1, 2**52, 1]),
        draw_vector("the largest total", [2**52, MAX_NUMBER - 2**52]),
        next(vector for vector in tries if has_rejection(vector)),
    ]


class Log:
    """The log of all drawings, which grows."""

    def __init__(self):
        self.entries = []

    def add(self, action, at, details, **fields):
        """Appends an entry. Fields that no honest entry would have, such as another id, make a forged one."""
        entry = {
            "id": len(self.entries) + 1,
            "action": action,
            "drawing": None,
            "details": json.dumps(details, ensure_ascii=False),
            "randomSeed": None,
            "participantCount": None,
            "verificationHash": None,
            "session": None,
            "at": at,
            "previous": self.entries[-1]["hash"] if self.entries else "0" * 64,
            **fields,
        }
        self.entries.append({**entry, "hash": scheme.sha256(scheme.log_text(entry).encode()).hex()})
        return self.entries[-1]

    def copy(self):
        other = Log()
        other.entries = [*self.entries]
        return other


def version_of(name, dollars, *kit, **other):
    """What a raffle says, as it was published."""
    items = [{"item": item, "detail": detail, "valueInCents": cents} for item, detail, cents in kit]
    content = {"name": name, "title": f"Win the {name}", "kit": items, "totalValue": {"dollars": dollars, "orMore": True}}
    return json.dumps({**content, **other}, ensure_ascii=False, separators=(",", ":"))


GARDEN_BAG = version_of(
    "Garden Bag Essentials",
    150,
    ("Canvas tool bag", "Waxed cotton, eight pockets, leather handles", 3800),
    ("Hand trowel", "Forged steel with an ash handle", 2400),
    ("Bypass pruners", "For stems up to three quarters of an inch", 3200),
    ("Seed box", "Ten packets of vegetables, herbs and flowers", 5600),
    palette="clay",
    picture={"scene": "tool-bag", "upload": None, "alt": ""},
)
VERSIONS = {  # the number and the text of the version that is in force for each raffle
    "garden-bag": (1, GARDEN_BAG),
    # Spelled as no program here spells JSON: the hash is that of the bytes.
    "fresh-sips": (
        12,
        r"""{ "totalValue": {"orMore":false, "dollars":40}, "kit": [{"detail":"Mint \u0026 l\u00edme, 16 oz","valueInCents":4001,
  "item":"\u201cCordial\u201d \\ no. 1 🌿"}], "share":{"textBody":"A line\nand {LINK}"}, "name":"Café “Fresh” \/ Sips" }
""",
    ),
    "kitchen-garden": (3, version_of("Kitchen Garden Essentials", 36, ("Three pots", "Six, seven and eight inches", 3600))),
    "sustainable-living": (2, version_of("Sustainable Living Starter Kit", 24, ("Soap bars", "Hand, dish and shampoo", 2400))),
}


def prize_of(text):
    """The prize that a version promises."""
    content = json.loads(text)
    kit = [{member: item[member] for member in ("item", "detail", "valueInCents")} for item in content["kit"]]
    return {"name": content["name"], "valueInCents": content["totalValue"]["dollars"] * 100, "kit": kit}


class Facts:
    """What is said about one drawing besides its list."""

    def __init__(self, drawing, raffle, period, times, beacon_round, chain=QUICKNET, **other):
        self.drawing, self.raffle, self.period, self.round, self.chain = drawing, raffle, period, beacon_round, chain
        self.announced_at, self.seal_before, self.sealed_at, self.drawn_at = times
        self.announced_cut_off, self.cut_off = other.get("cut_offs", (None, self.sealed_at))
        self.kind, self.reason = other.get("kind", "regular"), other.get("reason")
        self.version = None if "prize" in other else VERSIONS[raffle]
        self.prize = other["prize"] if "prize" in other else prize_of(self.version[1])
        self.session, self.replaces = other.get("session"), other.get("replaces")
        self.rules = other.get("rules", {"version": 1, "hash": pseudo_random("rules", 1).hex()})


def stamp_of(number, text):
    return {"number": number, "hash": scheme.sha256(text.encode()).hex()}


MISSING = object()  # the value of a member that a forged entry does not have


def announce(log, facts, drawing, entry, members):
    details = {
        "scheme": scheme.SCHEME,
        "landingPage": facts.raffle,
        "period": facts.period,
        "kind": facts.kind,
        "cutOff": facts.announced_cut_off,
        "beacon": facts.chain,
        "round": facts.round,
        "sealBefore": facts.seal_before,
        "commitment": drawing.commitment.hex(),
        "seedSource": "os",
        "reason": facts.reason,
        "prize": facts.prize,
        "version": facts.version and stamp_of(*facts.version),
        "replaces": facts.replaces,
        "rules": facts.rules,
        **members,
    }
    details = {member: value for member, value in details.items() if value is not MISSING}
    fields = {"drawing": facts.drawing, "session": facts.session, **entry}
    return log.add(fields.pop("action", "drawing_announced"), fields.pop("at", facts.announced_at), details, **fields)


def seal(log, facts, drawing, opening, entry, members):
    half = drawing.entries // 2
    details = {
        "scheme": scheme.SCHEME,
        "opening": opening["hash"],
        "round": facts.round,
        "cutOff": facts.cut_off,
        "root": drawing.root.hex(),
        "weightsHash": drawing.weights_hash.hex(),
        "totalEntries": drawing.entries,
        "entriesByKind": {"base": half - half // 3, "imported": half // 3, "bonus": 0, "purchased": drawing.entries - half},
        "leftOut": {"flagged": 2, "flaggedLast48Hours": 1, "duplicate": 1, "disputed": 0},
        **members,
    }
    fields = {"drawing": facts.drawing, "randomSeed": drawing.seed.hex(), "participantCount": drawing.size, **entry}
    return log.add(fields.pop("action", "drawing_sealed"), fields.pop("at", facts.sealed_at), details, **fields)


class Proven:
    """A proof that is made from the first step to the last. Each forgery changes one thing that later steps build upon:
    the fields or details of an entry, or facts of the proof from before the draw."""

    def __init__(self, log, facts, drawing, is_drawn=True, **forged):
        self.log, self.facts, self.drawing, self.forged = log, facts, drawing, forged
        self.announcement = announce(log, facts, drawing, forged.get("announcement", {}), forged.get("announced", {}))
        opening = {**self.announcement, **forged.get("opening", {})}
        self.seal = seal(log, facts, drawing, opening, forged.get("seal", {}), forged.get("sealed", {}))
        self.log_before = [*log.entries]
        self.proof = self.sealed()
        if is_drawn:
            self.draw()

    def sealed(self):
        facts, drawing = self.facts, self.drawing
        return {
            "scheme": scheme.SCHEME,
            "status": "sealed",
            "drawing": facts.drawing,
            "landingPage": facts.raffle,
            "period": facts.period,
            "kind": facts.kind,
            "cutOff": facts.cut_off,
            "commitment": drawing.commitment.hex(),
            "committedAt": facts.announced_at,
            "seedSource": "os",
            "version": facts.version and facts.version[1],
            "seed": drawing.seed.hex(),
            "root": drawing.root.hex(),
            "weightsHash": drawing.weights_hash.hex(),
            "totalParticipants": drawing.size,
            "totalEntries": drawing.entries,
            "announcement": self.announcement,
            "seal": self.seal,
            "beacon": {"chainHash": facts.chain, "round": facts.round},
            "last": drawing.proven(drawing.size - 1),
            **self.forged.get("proof", {}),
        }

    def draw(self):
        beacon = self.forged.get("beacon") or beacon_of(self.facts.chain, self.facts.round)
        self.proof |= {"status": "drawn", "beacon": beacon}
        key = self.forged.get("key") or scheme.key_of(scheme.read(self.proof, UNRANKED))
        ranks = self.forged.get("ranks", lambda ranks: ranks)(ranks_of(key, self.drawing.leaves)[0])
        proven = [
            {"rank": n, "entryNumber": entry, **self.drawing.proven(leaf[0])} for n, (entry, leaf) in enumerate(ranks)
        ]
        winner = {"leaf": proven[0]["leaf"], "path": proven[0]["path"]}
        self.proof |= {"winningEntryNumber": proven[0]["entryNumber"], "winner": winner, "ranks": proven}
        self.proof |= {"drawnAt": self.facts.drawn_at, "winnerLast4": self.drawing.people[winner["leaf"]["index"]][3][-4:]}
        self.record = scheme.record_text(self.proof)
        self.proof["verificationHash"] = scheme.sha256(self.record.encode()).hex()
        self.proof["auditLogHash"] = self.perform()["hash"]

    def perform(self):
        proof = self.proof
        details = {
            "scheme": scheme.SCHEME,
            "landingPage": proof["landingPage"],
            "seal": proof["seal"]["hash"],
            "root": proof["root"],
            "totalEntries": proof["totalEntries"],
            "round": proof["beacon"]["round"],
            "signature": proof["beacon"]["signature"],
            "entryNumbers": [rank["entryNumber"] for rank in proof["ranks"]],
        }
        fields = {"randomSeed": proof["seed"], "participantCount": proof["totalParticipants"]}
        fields |= {"drawing": proof["drawing"], "verificationHash": proof["verificationHash"]}
        return self.log.add("drawing_performed", self.facts.drawn_at, details, **fields)


UNRANKED = {name: kind for name, kind in scheme.DRAWN.items() if name in scheme.SEALED}


class Proofs:
    """One log with drawings of each kind, and the proofs of them."""

    def __init__(self):
        self.log, self.vectors, self.made, self.before = Log(), [], {}, {}
        nobody = {"landingPage": "garden-bag", "reason": "nobody has entered"}
        self.log.add("drawing_void", "2023-08-01T00:00:00.000000Z", nobody, drawing=39)
        self.add("drawn", Drawing("drawn", twelve()), MONTHLY)
        self.add("another chain", Drawing("another chain", twelve()[:2]), ANOTHER_CHAIN, chainFile=chain_file())
        self.add("additional", Drawing("additional", [(2**52 - 1, 7)]), ADDITIONAL)
        self.log.add("checkpoint", "2026-09-21T00:00:00.000000Z", {"rows": 1234, "entries": 5678, "head": "ab" * 32})
        self.refuse()
        self.add("another round after a refused seal", Drawing("refused", [(1, 1), (5, 3), (2**40, 2)]), MANUAL)
        self.add("beacon off", Drawing("beacon off", entrants_of("beacon off", 33, 2**52 - 1, 9)), WITHOUT_BEACON)
        self.log.add(
            "drawing_void",
            "2026-11-20T09:00:00.000000Z",
            {"landingPage": "fresh-sips", "reason": "no “beacon” came"},
            drawing=99,
            session=5,
        )
        self.add("sealed", Drawing("sealed", twelve()[3:8]), WAITING, is_drawn=False)
        self.make_void()

    def make_void(self):
        """A void drawing, the one that takes its list, and the round of the void one, which comes after all."""
        drawing = Drawing("void", twelve()[2:11])
        self.add("void", drawing, VOID, is_drawn=False)
        void, replaced = self.made["void"], {"drawing": 47, "root": drawing.root.hex(), "weightsHash": drawing.weights_hash.hex()}
        hosts = [{"host": "api.drand.sh", "answer": "the round is not published"}]
        reason = {"reason": "The beacon was gone for a week.", "hosts": hosts}
        self.log.add("drawing_void", "2023-08-30T16:00:00.000000Z", reason, drawing=47, session=9)
        again = Drawing("void", twelve()[2:11])
        again.seed = pseudo_random("replacement", "seed")
        again.commitment = scheme.sha256(again.seed)
        self.add("the list of a void drawing", again, (*REPLACEMENT[:5], {**REPLACEMENT[5], "replaces": replaced}))
        signature = SIGNATURES[1001]
        key = scheme.key_of(scheme.read(void.proof, scheme.SEALED), scheme.sha256(bytes.fromhex(signature)))
        late = {"signature": signature, "entryNumber": next(scheme.drawn_entries(key, drawing.entries))}
        details = {"seal": void.seal["hash"], "round": 1001, **late}
        self.log.add("late_round", "2023-09-16T08:00:00.000000Z", details, drawing=47)
        void.proof |= {"status": "void", "lateRound": late}

    def refuse(self):
        """A seal that came too late, and an announcement of another round."""
        before, at = Facts(*MANUAL[:3], MANUAL[3], MANUAL[4] - 10, session=8), "2026-09-21T14:12:45.000001Z"
        before.announced_at, before.seal_before = "2026-09-21T14:10:00.250000Z", "2026-09-21T14:12:10.000000Z"
        announce(self.log, before, Drawing("refused", [(1, 1)]), {}, {})
        self.log.add("seal_refused", at, {"round": before.round, "sealBefore": before.seal_before}, drawing=before.drawing)

    def add(self, name, drawing, facts, is_drawn=True, **members):
        self.before[name] = self.log.copy()
        facts = Facts(*facts[:5], **(facts[5] if len(facts) > 5 else {}))
        made = self.made[name] = Proven(self.log, facts, drawing, is_drawn)
        is_off = facts.chain == scheme.OFF
        log_before = self.before[name].entries if is_off else made.log_before
        says = {name: says_of(facts, name == "logBefore" and not is_off) for name in ("noLog", "logBefore", "logAfter")}
        self.vectors.append(
            {
                "name": name,
                **members,
                "proof": made.proof,
                "entrants": drawing.csv(),
                "recordText": made.record if is_drawn else None,
                "logBefore": log_before,
                "logAfter": [*self.log.entries] if is_drawn else None,
                "says": says,
            }
        )

    def forged(self, name, drawing=None, **forged):
        """The same proof, forged."""
        made, log = self.made[name], self.before[name].copy()
        return Proven(log, made.facts, drawing or made.drawing, "ranks" in made.proof, **forged)


def says_of(facts, is_witnessed):
    seal = scheme.WITNESSED if is_witnessed else scheme.NOT_WITNESSED
    return [scheme.COULD_HAVE_KNOWN, seal] if facts.chain == scheme.OFF else [seal]


def twelve():
    return entrants_of("twelve", 12, 2**52 - 1, 5)


# drawing, raffle, period, (announced, seal before, sealed, drawn), round, and the rest
MONTHLY = (
    *(41, "garden-bag", "2023-08"),
    ("2023-08-23T12:00:00.000000Z", "2023-08-23T15:54:24.000000Z", "2023-08-23T15:50:00.000001Z", "2023-08-23T15:59:26.123456Z"),
    1000,
    {"cut_offs": ("2023-08-23T15:45:00.000000Z", "2023-08-23T15:45:00.000000Z")},
)
UNIQUE = {"name": "Ünïque \\ kit", "valueInCents": 12000, "kit": []}
ADDITIONAL = (
    *(42, "garden-bag", "2023-09"),
    ("2023-09-14T11:00:00.000000Z", "2023-09-15T10:59:00.000000Z", "2023-09-15T10:58:59.999999Z", "2023-09-15T11:00:05.000000Z"),
    657413,
    {"kind": "additional", "reason": "A “second” kit, for the café’s readers", "session": 7, "prize": UNIQUE},
)
MANUAL = (
    *(43, "fresh-sips", "2026-09"),
    ("2026-09-21T14:13:00.000000Z", "2026-09-21T14:13:10.000000Z", "2026-09-21T14:13:10.000000Z", "2026-09-21T14:13:40.500000Z"),
    32398885,
    {"session": 8, "rules": {"version": 2, "hash": pseudo_random("rules", 2).hex()}},
)
ANOTHER_CHAIN = (
    *(40, "kitchen-garden", "2023-08"),
    ("2023-08-23T15:58:00.000000Z", "2023-08-23T15:59:29.999999Z", "2023-08-23T15:58:20.000000Z", "2023-08-23T15:59:31.000000Z"),
    1002,
    {"chain": chain_file()["chainHash"]},
)
VOID = (
    *(47, "sustainable-living", "2023-08"),
    ("2023-08-23T15:50:00.000000Z", "2023-08-23T15:54:24.000000Z", "2023-08-23T15:52:00.000000Z", None),
    1001,
    {"cut_offs": ("2023-08-23T15:45:00.000000Z", "2023-08-23T15:45:00.000000Z")},
)
REPLACEMENT = (
    *(48, "sustainable-living", "2023-08"),
    ("2023-09-14T10:00:00.000000Z", "2023-09-15T10:59:00.000000Z", "2023-09-15T10:00:00.000000Z", "2023-09-15T11:00:05.000000Z"),
    657413,
    {"cut_offs": ("2023-08-23T15:45:00.000000Z", "2023-08-23T15:45:00.000000Z"), "session": 10},
)
WITHOUT_BEACON = (
    *(45, "sustainable-living", "2026-10"),
    ("2026-10-05T10:00:00.000000Z", None, "2026-10-05T10:00:00.000000Z", "2026-10-05T10:00:00.000000Z"),
    0,
    {"chain": scheme.OFF, "session": 9},
)
WAITING = (
    *(46, "garden-bag", "2026-11"),
    ("2026-11-01T04:00:00.000000Z", "2026-12-01T16:00:00.000000Z", "2026-12-01T05:10:00.000000Z", None),
    34447012,
    {"cut_offs": ("2026-12-01T05:00:00.000000Z", "2026-12-01T05:00:00.000000Z")},
)


def flipped(text):
    """Other hexadecimal digits."""
    return ("1" if text[0] == "0" else "0") + text[1:]


def with_value(value, place, new):
    """A copy with another value at the place, such as `seal.hash` or `ranks.3.path`."""
    changed = json.loads(json.dumps(value))  # unlike deepcopy, this gives each place a value of its own
    steps = [int(step) if step.isdigit() else step for step in place.split(".")]
    at = changed
    for step in steps[:-1]:
        at = at[step]
    at[steps[-1]] = new(at[steps[-1]]) if callable(new) else new
    return changed


class Cases:
    """Proofs with one thing wrong. At least the checks that a case names must fail."""

    def __init__(self, proofs):
        self.proofs, self.cases = proofs, []
        self.base = {vector["name"]: vector for vector in proofs.vectors}

    def add(self, name, of, proof, fails, **files):
        base = self.base[of]["proof"]
        changes = {member: value for member, value in proof.items() if base.get(member, self) != value}
        self.cases.append({"name": name, "proof": of, "changes": changes, **files, "fails": fails.split()})

    def changed(self, name, fails, of="drawn", **places):
        """Members of the proof are changed, and nothing follows."""
        proof = self.base[of]["proof"]
        for place, new in places.items():
            proof = with_value(proof, place.replace("__", "."), new)
        self.add(name, of, proof, fails)

    def forged(self, name, fails, of="drawn", drawing=None, **forged):
        """Everything that builds upon the change follows it, so only the checks that look for it can fail."""
        made = self.proofs.forged(of, drawing, **forged)
        self.add(name, of, made.proof, fails, **({"entrants": drawing.csv()} if drawing else {}))

    def list(self, name, lines):
        header, *body = self.base["drawn"]["entrants"].splitlines(keepends=True)
        self.add(name, "drawn", {}, "list", entrants="".join([header, *lines(body)]))

    def log(self, name, log):
        self.add(name, "drawn", {}, "witness", log=log)

    def all(self):
        self.members()
        self.steps()
        self.drawn()
        self.forged_steps()
        self.prizes()
        self.forged_lists()
        self.lists()
        self.logs()
        return self.cases

    def members(self):
        self.changed("another scheme", "scheme announcement", scheme="other-drawing/1")
        self.changed("another drawing", "announcement seal record", drawing=99)
        self.changed("another raffle", "announcement record", landingPage="fresh-sips")
        self.changed("another period", "announcement record", period="2023-09")
        self.changed("another kind", "announcement record", kind="additional")
        self.changed("another cut-off", "seal", cutOff="2023-08-23T15:45:00.000001Z")
        self.changed("another commitment", "announcement seed", commitment=flipped)
        self.changed("another time of the commitment", "announcement", committedAt="2023-08-22T12:00:00.000000Z")
        self.changed("another source of the seed", "announcement", seedSource="dice")
        self.changed("another seed", "seal seed draw record", seed=flipped)
        self.changed("another root", "seal lastLeaf rankLeaves draw record list", root=flipped)
        self.changed("another hash of the weights", "seal draw record list", weightsHash=flipped)
        one_more = lambda n: n + 1
        self.changed("one entrant more", "seal lastLeaf rankLeaves draw record list", totalParticipants=one_more)
        self.changed("one entry more", "seal lastLeaf draw record list", totalEntries=one_more)
        self.changed("the last leaf is another's", "lastLeaf", last=self.proofs.made["drawn"].drawing.proven(10))
        self.changed("another path of the last leaf", "lastLeaf", last__path__0=flipped)
        self.changed("another blinded id of the last leaf", "lastLeaf list", last__leaf__blindedId=flipped)
        self.changed("while sealed: another root", "seal lastLeaf list", "sealed", root=flipped)
        self.changed("while sealed: another seed", "seal seed", "sealed", seed=flipped)
        self.changed("while sealed: another round", "announcement seal", "sealed", beacon__round=one_more)

    def steps(self):
        respelled = lambda text: text.replace(": ", ":", 1)
        self.changed("another time of the announcement", "announcement", announcement__at="2023-08-23T12:00:00.000001Z")
        self.changed("another hash of the announcement", "announcement seal draw record", announcement__hash=flipped)
        self.changed("the announcement's details are spelled otherwise", "announcement", announcement__details=respelled)
        self.changed("another entry before the announcement", "announcement", announcement__previous=flipped)
        self.changed("another time of the seal", "seal", seal__at="2023-08-23T15:49:00.000000Z")
        self.changed("another hash of the seal", "seal record", seal__hash=flipped)
        self.changed("the seal's details are spelled otherwise", "seal", seal__details=respelled)
        self.changed("another seed in the seal", "seal", seal__randomSeed=flipped)
        self.changed("the seal's details are no JSON", "seal", seal__details="root")

    def drawn(self):
        made = self.proofs.made["drawn"]
        ranks = made.proof["ranks"]
        swapped = [*ranks[:1], {**ranks[2], "rank": 1}, {**ranks[1], "rank": 2}, *ranks[3:]]
        others = [index for index in range(12) if index not in [rank["leaf"]["index"] for rank in ranks]]
        more = {"rank": 10, "entryNumber": made.drawing.leaves[others[0]][1], **made.drawing.proven(others[0])}
        self.changed("another randomness", "beacon draw record", beacon__randomness=flipped)
        self.changed("the signature of another round", "beacon record", beacon__signature=SIGNATURES[1001])
        self.changed("another round", "announcement seal beacon draw record", beacon__round=1001)
        self.changed("another winning entry", "draw", winningEntryNumber=lambda n: n + 1)
        self.changed("the winner is the first alternate", "draw", winner={name: ranks[1][name] for name in ("leaf", "path")})
        self.changed("another path of the winner", "draw", winner__path__0=flipped)
        self.changed("another path of an alternate", "rankLeaves", ranks__1__path__0=flipped)
        self.changed("another blinded id of an alternate", "rankLeaves list", ranks__5__leaf__blindedId=flipped)
        self.changed("another entry of an alternate", "draw record", ranks__3__entryNumber=lambda n: n + 1)
        self.changed("two alternates are swapped", "draw record", ranks=swapped)
        self.changed("the last alternate is missing", "draw record", ranks=ranks[:-1])
        self.changed("one alternate more", "draw record", ranks=[*ranks, more])
        self.changed("no ranks", "draw record", ranks=[])
        self.changed("another number of a rank", "draw", ranks__4__rank=5)
        self.changed("another verification hash", "record", verificationHash=flipped)
        self.changed("another time of the drawing", "record", drawnAt="2023-08-23T15:59:26.123457Z")
        self.changed("another late round", "lateRound", "void", lateRound__signature=SIGNATURES[1002])
        self.changed("another entry of the late round", "lateRound", "void", lateRound__entryNumber=lambda n: n + 1)
        self.changed("beacon off: a signature", "beacon record", "beacon off", beacon__signature=SIGNATURES[1000])
        self.changed("beacon off: a randomness", "beacon record", "beacon off", beacon__randomness="11" * 32)

    def forged_steps(self):
        forged, other = self.forged, pseudo_random("forged").hex()
        forged("the announcement is another step", "announcement", announcement={"action": "checkpoint"})
        forged("the announcement is another drawing's", "announcement", announcement={"drawing": 40})
        for member, value in (
            ("scheme", "other-drawing/1"),
            ("landingPage", "fresh-sips"),
            ("period", "2023-07"),
            ("kind", "additional"),
            ("beacon", scheme.OFF),
            ("round", 999),
            ("round", "1000"),
            ("commitment", other),
            ("seedSource", "dice"),
        ):
            spelled = json.dumps(value)
            forged(f"the announcement's {member} is {spelled}", "announcement", announced={member: value})
        for name, rules in (
            ("no rules", MISSING),
            ("null for its rules", None),
            ("no version of its rules", {"hash": other}),
            ("a negative version of its rules", {"version": -1, "hash": other}),
            ("no hash of its rules", {"version": 1}),
            ("an invalid hash of its rules", {"version": 1, "hash": other[1:]}),
        ):
            forged(f"the announcement has {name}", "announcement", announced={"rules": rules})
        for name, replaces in (
            ("does not say whether it takes a list", MISSING),
            ("takes a list without a drawing", {"root": other, "weightsHash": other}),
            ("takes a list without a root", {"drawing": 3, "weightsHash": other}),
            ("takes a list without a hash of weights", {"drawing": 3, "root": other}),
            ("takes something else than a list", "the last one"),
        ):
            forged(f"the announcement {name}", "announcement", announced={"replaces": replaces})
        taken, early = "the list of a void drawing", "2023-09-14T10:00:00.000001Z"
        replaced = json.loads(self.proofs.made[taken].announcement["details"])["replaces"]
        for member in ("root", "weightsHash"):
            forged(f"the list that is taken has another {member}", "seal", taken, announced={"replaces": {**replaced, member: other}})
        forged(
            "the list is taken before a day has passed", "seal", taken, announcement={"at": early}, proof={"committedAt": early}
        )
        forged("the seal is another step", "seal", seal={"action": "drawing_announced"})
        forged("the seal is another drawing's", "seal", seal={"drawing": 40})
        forged("the seal comes before the announcement", "seal", seal={"id": 2}, announcement={"id": 3})
        forged("the seal is for another announcement", "seal", opening={"hash": other})
        forged("the seal is late", "seal", seal={"at": "2023-08-23T15:54:24.000001Z"})
        forged("the time to seal before is no time", "seal beacon", announced={"sealBefore": "tomorrow"})
        forged("the seal has another seed", "seal", seal={"randomSeed": other})
        forged("the seal has another count of entrants", "seal", seal={"participantCount": 11})
        for member, value in (("round", 1001), ("root", other), ("weightsHash", other), ("totalEntries", 1)):
            forged(f"the seal has another {member}", "seal", sealed={member: value})
        late = "2023-08-23T15:49:00.000000Z"
        forged("the cut-off moved after the announcement", "seal", sealed={"cutOff": late}, proof={"cutOff": late})
        commitment = {"commitment": other}
        forged("the seed is not the announced one", "seed", announced=commitment, proof=commitment)
        wrong = beacon_of(QUICKNET, 1001) | {"round": 1000}
        forged("the random value of another round", "beacon", beacon=wrong)
        due = "2023-08-23T15:59:24.000000Z"
        forged("sealing was allowed until the round", "beacon", announced={"sealBefore": due})
        forged("sealing was allowed for ever", "beacon", announced={"sealBefore": None})
        forged("beacon off: a time to seal before", "beacon", "beacon off", announced={"sealBefore": "2026-10-05T10:00:00.000000Z"})
        forged("a chosen winner", "draw", ranks=lambda ranks: [*ranks[1:], ranks[0]])
        forged("an alternate is passed over", "draw", ranks=lambda ranks: [*ranks[:2], *ranks[3:]])
        forged("an entrant has two ranks", "draw", ranks=lambda ranks: [*ranks[:4], ranks[2], *ranks[4:9]])
        rooted = self.proofs.made["beacon off"]
        facts = [bytes.fromhex(rooted.proof[name]) for name in ("seed", "root", "weightsHash")]
        opening, size = bytes.fromhex(rooted.announcement["hash"]), rooted.drawing.size
        key = scheme.draw_key(opening, *facts, size, rooted.drawing.entries, 0, scheme.ZEROS)
        forged("beacon off: the root decides", "draw", "beacon off", key=key)

    def prizes(self):
        """In the proof of a sealed drawing, which is short: nothing of this depends on the draw."""
        forged = lambda name, fails, **changed: self.forged(name, fails, "sealed", **changed)
        number, text = self.proofs.made["sealed"].facts.version
        prize, stamp = prize_of(text), stamp_of(number, text)
        bag, *tools = prize["kit"]
        for name, value in (
            ("no prize", MISSING),
            ("null for its prize", None),
            ("a prize without a name", {"valueInCents": prize["valueInCents"], "kit": prize["kit"]}),
            ("a prize without a value", {"name": prize["name"], "kit": prize["kit"]}),
            ("a prize of a negative value", {**prize, "valueInCents": -1}),
            ("a prize without a kit", {"name": prize["name"], "valueInCents": prize["valueInCents"]}),
            ("a prize whose kit is no list", {**prize, "kit": bag}),
            ("a prize whose kit has an item without a value", {**prize, "kit": [{"item": bag["item"], "detail": ""}, *tools]}),
        ):
            forged(f"the announcement has {name}", "announcement prize", announced={"prize": value})
        for name, value in (
            ("no version", MISSING),
            ("a version without a number", {"hash": stamp["hash"]}),
            ("a version without a hash", {"number": number}),
            ("an invalid hash of its version", {**stamp, "hash": stamp["hash"][1:]}),
            ("a version with the number 0", {**stamp, "number": 0}),
            ("something else than a version", "the first one"),
        ):
            forged(f"the announcement has {name}", "announcement prize", announced={"version": value})
        for name, value in (
            ("name", {**prize, "name": "Garden Bag Essential"}),
            ("value", {**prize, "valueInCents": prize["valueInCents"] + 1}),
            ("value of an item", {**prize, "kit": [{**bag, "valueInCents": bag["valueInCents"] + 1}, *tools]}),
            ("detail of an item", {**prize, "kit": [{**bag, "detail": "Jute"}, *tools]}),
            ("order of the items", {**prize, "kit": [*tools, bag]}),
            ("number of items", {**prize, "kit": tools}),
        ):
            forged(f"the prize has another {name} than the version", "prize", announced={"prize": value})
        content = json.loads(text)
        for name, said in (
            ("no JSON", "Garden Bag Essentials"),
            ("no JSON object", json.dumps([content])),
            ("an object without a kit", json.dumps({member: content[member] for member in ("name", "totalValue")})),
            ("an object whose total value is a number", json.dumps({**content, "totalValue": 150})),
            ("an object whose dollars are a text", json.dumps({**content, "totalValue": {"dollars": "150"}})),
        ):
            forged(f"the version is {name}", "prize", announced={"version": stamp_of(number, said)}, proof={"version": said})
        other = {**stamp, "hash": pseudo_random("forged").hex()}
        self.forged("another version was announced", "prize", announced={"version": other})
        changed = lambda text: text.replace("tool-bag", "tool_bag")
        self.changed("another byte of the version", "prize", version=changed)
        self.changed("no version, though one is announced", "prize", version=None)
        self.changed("while sealed: another byte of the version", "prize", "sealed", version=changed)
        self.changed("while sealed: a line feed after the version", "prize", "sealed", version=text + "\n")
        self.changed("while sealed: the version is spelled otherwise", "prize", "sealed", version=json.dumps(content))
        self.changed("a version, though none is announced", "prize", "additional", version=text)
        self.forged("a version of an own prize is announced", "prize", "additional", announced={"version": stamp})
        own = {"name": "Another prize", "valueInCents": 100, "kit": []}
        self.forged("a regular drawing has a prize of its own", "prize", announced={"version": None, "prize": own}, proof={"version": None})

    def forged_lists(self):
        self.forged_leaves(
            "an entry belongs to two entrants", lambda index, first, *rest: (index, first - (index == 1), *rest)
        )
        self.forged_leaves("an index is out of order", lambda index, *rest: (99 if index == 4 else index, *rest))
        drawing = Drawing("drawn", twelve())
        drawing.weights_hash = pseudo_random("weights")
        self.forged("the hash of other weights", "list", drawing=drawing)
        nobody = Drawing("drawn", [*twelve()[:5], (twelve()[5][0], 0), *twelve()[6:]])
        self.forged("an entrant without entries", "list", drawing=nobody)
        last = Drawing("drawn", [*twelve()[:11], (twelve()[11][0], 0)])
        proof = {"last": last.proven(10)}
        self.forged("the last leaf is before one without entries", "lastLeaf list", drawing=last, proof=proof)

    def forged_leaves(self, name, leaf):
        """Takes the first of many seeds that draw neither the changed leaf nor an entry that nobody has."""
        for tried in itertools.count():
            drawing = Drawing(f"{name} {tried}", twelve())
            drawing.leaves = [leaf(*old) for old in drawing.leaves]
            drawing.compute()
            try:
                return self.forged(name, "list", drawing=drawing)
            except (StopIteration, IndexError):
                pass

    def lists(self):
        def reweighed(lines):
            """An entry moves from one entrant to the next."""
            leaves = [line.strip().split(",") for line in lines]
            at = next(n for n, leaf in enumerate(leaves[:-1]) if int(leaf[2]) > 1)
            leaves[at][2] = str(int(leaves[at][2]) - 1)
            leaves[at + 1][1] = str(int(leaves[at + 1][1]) - 1)
            leaves[at + 1][2] = str(int(leaves[at + 1][2]) + 1)
            return [",".join(leaf) + "\n" for leaf in leaves]

        self.list("the list with an entry moved", reweighed)
        self.list("the list with two lines swapped", lambda lines: [lines[1], lines[0], *lines[2:]])
        self.list("the list without a line", lambda lines: [*lines[:3], *lines[4:]])
        self.list("the list without the last line", lambda lines: lines[:-1])
        self.list("the list with a line twice", lambda lines: [*lines, lines[-1]])
        self.list("the list with another blinded id", lambda lines: [flip_last_digit(lines[0]), *lines[1:]])
        self.list("the list without lines", lambda lines: [])

    def logs(self):
        before = self.base["drawn"]["logBefore"]
        self.log("a log with an entry changed", with_value(before, "0.at", "2023-08-01T00:00:00.000001Z"))
        self.log("a log without an entry", [before[0], *before[2:]])
        self.log("a log whose first entry has one before it", rehashed(with_value(before, "0.previous", "11" * 32)))
        self.log("a log with another announcement", rehashed(with_value(before, "1.at", "2023-08-23T11:00:00.000000Z")))
        self.log("a log with another seal", rehashed(with_value(before, "2.at", "2023-08-23T15:49:00.000000Z")))
        self.log("a log with something else in the place of the seal", rehashed(with_value(before, "2.action", "checkpoint")))
        self.log("a log with two seals of this drawing", rehashed([*before, {**before[2], "id": 4}]))


def flip_last_digit(line):
    return line[:-2] + ("1" if line[-2] == "0" else "0") + "\n"


def rehashed(entries):
    """The chain, computed again."""
    chain = []
    for entry in entries:
        previous = chain[-1]["hash"] if chain else entry["previous"]
        entry = {**entry, "previous": previous}
        chain.append({**entry, "hash": scheme.sha256(scheme.log_text(entry).encode()).hex()})
    return chain


NOTE = (
    "log is one log with all drawings. draws have made-up hashes; firstOutputs are x[0] to x[19], and outputsRead is how many "
    "outputs were read until the ranks were complete. proofs are valid: says is what the programs say without a copy of the "
    "log, with logBefore (from before the round) and with logAfter; chainFile is needed for one of them. cases are proofs with "
    "one thing wrong: changes replace whole members of the proof that is named, entrants and log replace its list and its copy "
    "of the log (there is no copy without log). At least the checks in fails must fail. An openingHash or sealHash that the "
    "checks use is the hash that the entry states; whether it is right is for the checks announcement and seal."
)


def vectors():
    many = [Drawing(f"of {count}", entrants_of(f"of {count}", count, 2**52 - 1, 5)) for count in (1, 2, 3, 5, 8, 33)]
    heavy = Drawing("large numbers", [(1, 1), (2**52 - 2, 2**52), (2**52 - 1, 2**51)])
    proofs = Proofs()
    return {
        "scheme": scheme.SCHEME,
        "note": NOTE,
        "drawings": [drawing.vector() for drawing in (*many, heavy)],
        "log": [{"entry": entry, "text": scheme.log_text(entry)} for entry in proofs.log.entries],
        "draws": draws(),
        "proofs": proofs.vectors,
        "cases": Cases(proofs).all(),
    }


def main():
    text = json.dumps(vectors(), ensure_ascii=False, indent=1) + "\n"
    if sys.argv[1:] != ["--check"]:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE.name} differs from the output of scripts/drawing/drawing_vectors.py")


if __name__ == "__main__":
    main()
