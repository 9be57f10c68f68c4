"""Draws the drawings in the JSON lines of the standard input with scripts/verify_drawing.py, and compares all ranks."""
import bisect, itertools, json, sys

import verify_drawing as scheme


def ranks(drawing):
    """The entry and the entrant of each rank, computed from the list."""
    weights, beacon_is_off = drawing["weights"], drawing["chainHash"] == "off"
    size, last_entries = len(weights), list(itertools.accumulate(weights))
    opening, seed, root = (bytes.fromhex(drawing[name]) for name in ("opening", "seed", "root"))
    randomness = scheme.ZEROS if beacon_is_off else scheme.sha256(bytes.fromhex(drawing["signature"]))
    root = scheme.ZEROS if beacon_is_off else root
    weights_hash = scheme.weights_hash(weights)
    assert weights_hash.hex() == drawing["weightsHash"]
    key = scheme.draw_key(opening, seed, root, weights_hash, size, last_entries[-1], drawing["round"], randomness)
    drawn = {}
    for entry in scheme.drawn_entries(key, last_entries[-1]):
        drawn.setdefault(bisect.bisect_left(last_entries, entry), entry)
        if len(drawn) == min(scheme.MAX_RANKS, size):
            break
    return [[entry, index] for index, entry in drawn.items()]


def main():
    count = 0
    for count, line in enumerate(sys.stdin, 1):
        drawing = json.loads(line)
        computed = ranks(drawing)
        if computed != drawing["ranks"]:
            sys.exit(f"drawing {count}: {computed} instead of {drawing['ranks']}")
    print(f"{count} drawings are equal")


main()
