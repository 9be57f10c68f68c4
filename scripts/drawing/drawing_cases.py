#!/usr/bin/env python3
"""Writes random drawings as JSON lines, always the same ones, computed with verify_drawing.py: secrets, entrants, list and
proof. The argument is how many; without it, 10,000. Tests of the server's and the browser's implementation compute the
same drawings."""
import bisect, json, random, sys

import verify_drawing as scheme

DRAWINGS = 10_000
CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"  # quicknet


def random_entrants(numbers):
    """(id, weight, person salt, phone number), by ascending id."""
    entrant_id, entrants = 0, []
    for _ in range(numbers.randint(1, 24)):
        entrant_id += numbers.randint(1, numbers.choice((3, 3, 3, 2**40)))
        # A few hold far more than the others, so that the search for alternates is long.
        weight = numbers.randint(1, 2**12 if numbers.randrange(40) == 0 else 12)
        entrants.append((entrant_id, weight, numbers.randbytes(32), f"+1{numbers.randrange(2 * 10**9, 10**10)}"))
    return entrants


def random_beacon(numbers):
    if numbers.randrange(4) == 0:
        return {"chainHash": scheme.OFF, "round": 0, "signature": None, "randomness": scheme.ZEROS.hex()}
    signature = numbers.randbytes(48)
    randomness = scheme.sha256(signature).hex()
    return {"chainHash": CHAIN, "round": numbers.randint(1, 2**52), "signature": signature.hex(), "randomness": randomness}


def leaf_object(leaf):
    index, first, weight, blinded = leaf
    return {"index": index, "firstEntry": first, "weight": weight, "blindedId": blinded.hex()}


def ranks_of(key, leaves):
    """The drawn entries and their leaves, from the whole list."""
    last_entries = [first + weight - 1 for _, first, weight, _ in leaves]
    drawn = {}
    for entry in scheme.drawn_entries(key, last_entries[-1]):
        drawn.setdefault(bisect.bisect_left(last_entries, entry), entry)
        if len(drawn) == min(scheme.MAX_RANKS, len(leaves)):
            break
    return [
        {"rank": rank, "entryNumber": entry, "leaf": leaf_object(leaves[index]), "path": []}
        for rank, (index, entry) in enumerate(drawn.items())
    ]


def random_drawing(numbers):
    opening, seed, salt_key = (numbers.randbytes(32) for _ in range(3))
    entrants, beacon = random_entrants(numbers), random_beacon(numbers)
    tagged = [(entrant_id, weight, scheme.tag(salt, phone)) for entrant_id, weight, salt, phone in entrants]
    leaves = [leaf for _, leaf in scheme.leaves(salt_key, tagged)]
    root = scheme.root(scheme.leaf_hash(*leaf) for leaf in leaves)
    weights_hash = scheme.weights_hash(weight for _, weight, _, _ in entrants)
    size, entries = len(leaves), sum(weight for _, weight, _, _ in entrants)
    drawn_root = scheme.ZEROS if beacon["chainHash"] == scheme.OFF else root
    randomness = bytes.fromhex(beacon["randomness"])
    key = scheme.draw_key(opening, seed, drawn_root, weights_hash, size, entries, beacon["round"], randomness)
    return {
        "saltKey": salt_key.hex(),
        "entrants": [
            {"id": entrant_id, "weight": weight, "personSalt": salt.hex(), "number": phone}
            for entrant_id, weight, salt, phone in entrants
        ],
        "list": scheme.HEADER + "".join(f"{index},{first},{weight},{blinded.hex()}\n" for index, first, weight, blinded in leaves),
        "proof": {
            "scheme": scheme.SCHEME,
            "status": "drawn",
            "announcement": {"hash": opening.hex()},
            "seed": seed.hex(),
            "root": root.hex(),
            "weightsHash": weights_hash.hex(),
            "totalParticipants": size,
            "totalEntries": entries,
            "beacon": beacon,
            "ranks": ranks_of(key, leaves),
            "last": {"leaf": leaf_object(leaves[-1]), "path": []},
        },
    }


def main():
    numbers = random.Random(39)
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else DRAWINGS):
        print(json.dumps(random_drawing(numbers), separators=(",", ":")))


main()
