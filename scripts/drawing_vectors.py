#!/usr/bin/env python3
"""Writes docs/drawing-vectors.json; with --check, compares it instead. All its values are derived with SHA-256."""
import hashlib, itertools, json, pathlib, sys

import verify_drawing as scheme

FILE = pathlib.Path(__file__).parent.parent / "docs/drawing-vectors.json"
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


class Drawing:
    """A drawing computed with verify_drawing.py."""

    def __init__(self, name, entrants):
        self.name, self.entrants = name, entrants
        self.seed, self.salt_key = pseudo_random(name, "seed"), pseudo_random(name, "salt key")
        self.salts, self.leaves = zip(*scheme.leaves(self.salt_key, entrants))
        self.compute()

    def compute(self):
        """Computes everything that follows from the leaves."""
        self.hashes = [scheme.leaf_hash(*leaf) for leaf in self.leaves]
        self.root = scheme.root(self.hashes)
        self.size, self.entries = len(self.leaves), sum(leaf[2] for leaf in self.leaves)
        self.key = scheme.winner_key(self.seed, self.root, self.size, self.entries)
        self.number = scheme.winning_entry(self.key, self.entries)[0]
        self.winner = next(index for index, first, weight, _ in self.leaves if first <= self.number < first + weight)
        self.commitment = scheme.sha256(self.seed)

    def path(self, index):
        return [sibling.hex() for sibling in path_to(index, self.hashes)]

    def csv(self):
        lines = (f"{index},{first},{weight},{blinded.hex()}\n" for index, first, weight, blinded in self.leaves)
        return "index,firstEntry,weight,blindedId\n" + "".join(lines)

    def vector(self):
        return {
            "name": self.name,
            "seed": self.seed.hex(),
            "commitment": self.commitment.hex(),
            "saltKey": self.salt_key.hex(),
            "entrants": [{"id": entrant_id, "weight": weight} for entrant_id, weight in self.entrants],
            "leaves": [
                {"salt": salt.hex(), "blindedId": blinded.hex(), "index": index, "firstEntry": first, "hash": leaf.hex()}
                for salt, (index, first, _, blinded), leaf in zip(self.salts, self.leaves, self.hashes)
            ],
            "root": self.root.hex(),
            "totalParticipants": self.size,
            "totalEntries": self.entries,
            "key": self.key.hex(),
            "winningEntryNumber": self.number,
            "winnerIndex": self.winner,
            "paths": [self.path(index) for index in range(self.size)],
            "csv": self.csv(),
        }

    def proof(self, drawing_id, raffle):
        record = {
            "scheme": scheme.SCHEME,
            "drawing": drawing_id,
            "landingPage": raffle,
            "commitment": self.commitment.hex(),
            "committedAt": "2026-11-01T00:00:00.000000Z",
            "seedSource": "os",
            "seed": self.seed.hex(),
            "root": self.root.hex(),
            "totalParticipants": self.size,
            "totalEntries": self.entries,
            "winningEntryNumber": self.number,
            "drawnAt": "2026-12-01T05:00:00.123456Z",
        }
        text = scheme.record_text(record)
        proof = {
            **record,
            "winnerLast4": "0000",
            "winner": self.proven(self.winner),
            "last": self.proven(self.size - 1),
            "verificationHash": scheme.sha256(text.encode()).hex(),
            "auditLogHash": pseudo_random(self.name, "log").hex(),
        }
        return {"proof": proof, "entrants": self.csv(), "recordText": text}

    def proven(self, index):
        _, first, weight, blinded = self.leaves[index]
        leaf = {"index": index, "firstEntry": first, "weight": weight, "blindedId": blinded.hex()}
        return {"leaf": leaf, "path": self.path(index)}


def drawings():
    small = [Drawing(f"of {count}", entrants_of(f"of {count}", count, 1000, 5)) for count in (1, 2, 3, 4, 5, 7, 8, 9, 33)]
    big = entrants_of("big numbers", 4, MAX_NUMBER, 2**50) + [(MAX_NUMBER, 2**52)]
    heaviest = [(MAX_NUMBER - 1, 1), (MAX_NUMBER, MAX_NUMBER - 1)]
    return [*small, Drawing("big numbers", big), Drawing("the largest numbers", heaviest)]


def winner(seed, size, total):
    root = pseudo_random("root", total)
    key = scheme.winner_key(seed, root, size, total)
    winning, outputs = scheme.winning_entry(key, total)
    return {
        "seed": seed.hex(),
        "root": root.hex(),
        "totalParticipants": str(size),
        "totalEntries": str(total),
        "key": key.hex(),
        "outputs": [str(x) for x in outputs],
        "winningEntryNumber": str(winning),
    }


def winners():
    plain = [winner(pseudo_random("winner", total), min(total, 1000), total) for total in (1, 2, 255, MAX_NUMBER, 2**64 - 1)]
    # About half of the outputs are rejected: take the first seeds that need one output, two, and more than a block.
    tries = [winner(pseudo_random("winner", 2**63 + 1, n), 1000, 2**63 + 1) for n in range(1000)]
    return plain + [next(vector for vector in tries if len(vector["outputs"]) >= needed) for needed in (1, 2, 9)]


def log():
    opened = {
        "id": 1,
        "action": "commitment_opened",
        "details": '{"landingPage": "garden-bag"}',
        "at": "2026-11-01T00:00:00.000000Z",
        "previous": "0" * 64,
    }
    entries = [opened]
    for n in (2, 3):
        text = scheme.log_text(entries[-1])
        entries.append(performed(n, scheme.sha256(text.encode()).hex()))
    texts = [scheme.log_text(entry) for entry in entries]
    return [{"text": text, "hash": scheme.sha256(text.encode()).hex()} for text in texts]


def performed(n, previous):
    return {
        "id": n,
        "action": "drawing_performed",
        "drawing": n - 1,
        "details": '{"note": "ünïcode, \\"quotes\\""}',
        "randomSeed": pseudo_random("log", n, "seed").hex(),
        "participantCount": number(MAX_NUMBER, "log", n),
        "verificationHash": pseudo_random("log", n, "hash").hex(),
        "session": str(40 + n),
        "at": "2026-12-01T05:00:00.123456Z",
        "previous": previous,
    }


def vectors():
    all_drawings = drawings()
    raffles = itertools.cycle(("garden-bag", "fresh-sips", "kitchen-garden", "sustainable-living"))
    proven = [drawing for drawing in all_drawings if drawing.size in (1, 3, 5, 33)]
    proofs = [drawing.proof(n, raffle) for n, (drawing, raffle) in enumerate(zip(proven, raffles), 1)]
    return {
        "scheme": scheme.SCHEME,
        "drawings": [drawing.vector() for drawing in all_drawings],
        "winners": winners(),
        "proofs": proofs,
        "log": log(),
    }


def main():
    text = json.dumps(vectors(), ensure_ascii=False, indent=1) + "\n"
    if sys.argv[1:] != ["--check"]:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE.name} differs from the output of scripts/drawing_vectors.py")


if __name__ == "__main__":
    main()
