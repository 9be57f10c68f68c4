#!/usr/bin/env python3
"""Writes random drawings as JSON lines, always the same ones, computed with verify_drawing.py: secrets, entrants, list and
proof. The argument is how many; without it, 10,000. Tests of the server's and the browser's implementation compute the
same drawings."""
import json, random, sys

import verify_drawing as scheme
from drawing_vectors import QUICKNET, List, ranks_of

DRAWINGS = 10_000


def random_people(numbers):
    """(id, weight, person salt, phone number) of each."""
    entrant_id, people = 0, []
    for _ in range(numbers.randint(1, 24)):
        entrant_id += numbers.randint(1, numbers.choice((3, 3, 3, 2**40)))
        # A few hold far more than the others, so that the search for alternates is long.
        weight = numbers.randint(1, 2**12 if numbers.randrange(40) == 0 else 12)
        people.append((entrant_id, weight, numbers.randbytes(32), f"+1{numbers.randrange(2 * 10**9, 10**10)}"))
    return people


def random_beacon(numbers):
    if numbers.randrange(4) == 0:
        return {"chainHash": scheme.OFF, "round": 0, "signature": None, "randomness": scheme.ZEROS.hex()}
    signature = numbers.randbytes(48)
    randomness = scheme.sha256(signature).hex()
    return {"chainHash": QUICKNET, "round": numbers.randint(1, 2**52), "signature": signature.hex(), "randomness": randomness}


def random_drawing(numbers):
    opening, seed, salt_key = (numbers.randbytes(32) for _ in range(3))
    people, beacon = random_people(numbers), random_beacon(numbers)
    drawing = List(salt_key, people)
    drawn_root = scheme.ZEROS if beacon["chainHash"] == scheme.OFF else drawing.root
    facts = drawing.weights_hash, drawing.size, drawing.entries, beacon["round"], bytes.fromhex(beacon["randomness"])
    ranks, _ = ranks_of(scheme.draw_key(opening, seed, drawn_root, *facts), drawing.leaves)
    return {
        **drawing.secrets(),
        "list": drawing.csv(),
        "proof": {
            "scheme": scheme.SCHEME,
            "status": "drawn",
            "announcement": {"hash": opening.hex()},
            "seed": seed.hex(),
            "root": drawing.root.hex(),
            "weightsHash": drawing.weights_hash.hex(),
            "totalParticipants": drawing.size,
            "totalEntries": drawing.entries,
            "beacon": beacon,
            "ranks": [
                {"rank": n, "entryNumber": entry, "leaf": drawing.leaf(leaf[0]), "path": []}
                for n, (entry, leaf) in enumerate(ranks)
            ],
            "last": {"leaf": drawing.leaf(drawing.size - 1), "path": []},
        },
    }


def main():
    numbers = random.Random(39)
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else DRAWINGS):
        print(json.dumps(random_drawing(numbers), separators=(",", ":")))


main()
