#!/usr/bin/env python3
"""Tests verify_drawing.py. With the argument `pairs` it recomputes drawings of another implementation from standard input.

Each input line is JSON: seed, saltKey, ids, weights, and the expected root, winningEntryNumber and winnerIndex."""
import copy, itertools, json, pathlib, subprocess, sys, tempfile, tracemalloc, unittest
from unittest import mock

import drawing_vectors
import verify_drawing as scheme
from drawing_vectors import Drawing

VECTORS = json.loads(drawing_vectors.FILE.read_bytes())
VERIFIER = pathlib.Path(__file__).parent / "verify_drawing.py"
HEADER = "index,firstEntry,weight,blindedId\n"


def failing(proof, entrants=None):
    """Returns the numbers of the checks that fail."""
    lines = iter(entrants.splitlines(keepends=True)) if entrants is not None else None
    return [int(what[0]) for what, holds in scheme.checks(scheme.read(proof, scheme.PROOF), lines) if not holds]


def refused(proof, entrants=None):
    """Returns whether the proof fails a check or cannot be read."""
    try:
        return failing(proof, entrants) != []
    except ValueError:
        return True


def verify(proof, entrants=None):
    """Runs the program on files with these contents."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"proof": pathlib.Path(folder, "proof.json"), "list": pathlib.Path(folder, "list.csv")}
        files["proof"].write_text(proof, encoding="utf-8")
        arguments = [files["proof"]]
        if entrants is not None:
            files["list"].write_bytes(entrants.encode())
            arguments += ["--entrants", files["list"]]
        return subprocess.run([sys.executable, VERIFIER, *arguments], capture_output=True, text=True, check=False)


def other(value):
    """Returns values of the same type that differ slightly."""
    if isinstance(value, int):
        return [value + 1, value + 2**32] + ([value - 1] if value > 0 else [])
    return [value[:at] + ("1" if value[at] == "0" else "0") + value[at + 1 :] for at in (0, len(value) - 2)]


def places(value, place=()):
    """Returns the paths of all numbers and strings in a proof."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    return [place] if inner is None else [found for key, item in inner for found in places(item, (*place, key))]


def checked_places(proof):
    """Returns all paths except the two that section 8 does not check."""
    return [place for place in places(proof) if place[0] not in ("winnerLast4", "auditLogHash")]


def at(proof, place):
    for key in place:
        proof = proof[key]
    return proof


def with_value(proof, place, value):
    changed = copy.deepcopy(proof)
    at(changed, place[:-1])[place[-1]] = value
    return changed


class Published(unittest.TestCase):
    """Compares with values that others published."""

    def test_the_keystream_is_chacha20(self):
        two_blocks = b"".join(itertools.islice(scheme.chacha20(bytes(32)), 2))
        self.assertEqual(
            two_blocks.hex(),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
        )

    def test_the_root_is_that_of_certificate_transparency(self):
        inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
        root = scheme.root(scheme.sha256(b"\x00" + bytes.fromhex(one)) for one in inputs)
        self.assertEqual(root.hex(), "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328")


class Vectors(unittest.TestCase):
    """Compares the file with the rules. `drawing_vectors.py --check` compares it with the generator."""

    def test_drawings(self):
        for vector in VECTORS["drawings"]:
            with self.subTest(vector["name"]):
                self.check_drawing(vector)

    def check_drawing(self, vector):
        seed, salt_key = bytes.fromhex(vector["seed"]), bytes.fromhex(vector["saltKey"])
        entrants = [(entrant["id"], entrant["weight"]) for entrant in vector["entrants"]]
        made = list(scheme.leaves(salt_key, entrants))
        told = [tuple(leaf[name] for name in ("salt", "index", "firstEntry", "blindedId", "hash")) for leaf in vector["leaves"]]
        found = [(salt.hex(), *leaf[:2], leaf[3].hex(), scheme.leaf_hash(*leaf).hex()) for salt, leaf in made]
        self.assertEqual(found, told)
        root = scheme.root(scheme.leaf_hash(*leaf) for _, leaf in made)
        size, entries = vector["totalParticipants"], vector["totalEntries"]
        self.assertEqual((scheme.sha256(seed).hex(), root.hex()), (vector["commitment"], vector["root"]))
        self.assertEqual((len(made), sum(weight for _, weight in entrants)), (size, entries))
        for (_, leaf), path in zip(made, vector["paths"], strict=True):
            self.assertTrue(scheme.is_under(root, size, leaf, [bytes.fromhex(beside) for beside in path]))
        key = scheme.winner_key(seed, root, size, entries)
        number = scheme.winning_entry(key, entries)[0]
        self.assertEqual((key.hex(), number), (vector["key"], vector["winningEntryNumber"]))
        _, first, weight, _ = made[vector["winnerIndex"]][1]
        self.assertTrue(first <= number < first + weight)
        lines = (f"{index},{first},{weight},{blinded.hex()}\n" for _, (index, first, weight, blinded) in made)
        self.assertEqual(vector["csv"], HEADER + "".join(lines))

    def test_winners(self):
        for vector in VECTORS["winners"]:
            with self.subTest(vector["totalEntries"]):
                entries = int(vector["totalEntries"])
                seed, root, size = bytes.fromhex(vector["seed"]), bytes.fromhex(vector["root"]), int(vector["totalParticipants"])
                key = scheme.winner_key(seed, root, size, entries)
                number, outputs = scheme.winning_entry(key, entries)
                self.assertEqual(key.hex(), vector["key"])
                self.assertEqual([str(number), *map(str, outputs)], [vector["winningEntryNumber"], *vector["outputs"]])
                self.assertTrue(1 <= number <= entries)
        self.assertTrue(any(len(vector["outputs"]) > 8 for vector in VECTORS["winners"]), "no vector needs a second block")

    def test_the_smallest_rejected_output_is_the_limit(self):
        entries = limit = 2**63 + 1
        block = b"".join(x.to_bytes(8, "little") for x in (2**64 - 1, limit, limit - 1, 0, 0, 0, 0, 0))
        with mock.patch.object(scheme, "chacha20", lambda key: iter([block])):
            self.assertEqual(scheme.winning_entry(b"", entries), (entries, [2**64 - 1, limit, limit - 1]))

    def test_proofs(self):
        for one in VECTORS["proofs"]:
            with self.subTest(one["proof"]["drawing"]):
                self.assertEqual(scheme.record_text(one["proof"]), one["recordText"])
                self.assertEqual(failing(one["proof"], one["entrants"]), [])
                done = verify(json.dumps(one["proof"]), one["entrants"])
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual([line[:8] for line in done.stdout.splitlines()], [f"ok     {n}" for n in range(1, 9)])

    def test_the_log_is_a_chain(self):
        previous = "0" * 64
        for entry in VECTORS["log"]:
            self.assertTrue(entry["text"].endswith(f"\nprevious {previous}\n"))
            previous = scheme.sha256(entry["text"].encode()).hex()
            self.assertEqual(previous, entry["hash"])


class Changes(unittest.TestCase):
    """Every change of a proof or a list is detected."""

    def test_any_changed_field_of_a_proof_fails(self):
        for one in VECTORS["proofs"]:
            for place in checked_places(one["proof"]):
                for value in other(at(one["proof"], place)):
                    self.assertTrue(refused(with_value(one["proof"], place, value)), f"{place} became {value}")

    def test_a_proof_without_a_field_cannot_be_read(self):
        proof = VECTORS["proofs"][1]["proof"]
        for place in [*checked_places(proof), ("winner",), ("last", "leaf"), ("last", "path")]:
            if isinstance(place[-1], str):
                with self.subTest(place), self.assertRaises(ValueError):
                    failing(with_value(proof, place, None))
                changed = copy.deepcopy(proof)
                del at(changed, place[:-1])[place[-1]]
                with self.subTest(place), self.assertRaises(ValueError):
                    failing(changed)

    def test_a_field_of_the_wrong_type_cannot_be_read(self):
        proof = VECTORS["proofs"][1]["proof"]
        never = [None, True, 1.0, -1, 2**53, "", [], {}, "two words", "one\ntwo", "é"]
        for name, values in {
            "drawing": [*never, "1"],
            "landingPage": never,
            "seed": [*never, proof["seed"].upper(), proof["seed"][2:], proof["seed"] + "\n"],
            "drawnAt": [*never, proof["drawnAt"][:-1], proof["drawnAt"].replace("T", " "), proof["drawnAt"].replace("0", "٠")],
            "winner": [*never, "leaf"],
        }.items():
            for value in values:
                with self.subTest(name, value=value), self.assertRaises(ValueError):
                    failing({**proof, name: value})

    def test_any_changed_path_fails(self):
        more = "00" * 32
        for one in VECTORS["proofs"]:
            for leaf in ("winner", "last"):
                path = one["proof"][leaf]["path"]
                changes = [[*path, more], [more, *path]]
                changes += [path[1:], path[:-1]] if path else []
                changes += [path[::-1]] if len(path) > 1 else []
                for changed in changes:
                    self.assertTrue(refused(with_value(one["proof"], (leaf, "path"), changed)), f"{leaf}: {changed}")

    def test_any_changed_line_of_the_list_fails(self):
        for one in VECTORS["proofs"]:
            header, *lines = one["entrants"].splitlines(keepends=True)
            for n, line in enumerate(lines):
                cells = line.rstrip("\n").split(",")
                for column, cell in enumerate(cells):
                    for value in map(str, other(int(cell) if column < 3 else cell)):
                        changed = ",".join([*cells[:column], value, *cells[column + 1 :]]) + "\n"
                        self.assertTrue(refused(one["proof"], header + "".join([*lines[:n], changed, *lines[n + 1 :]])), changed)

    def test_missing_added_and_swapped_lines_fail(self):
        for one in VECTORS["proofs"]:
            header, *lines = one["entrants"].splitlines(keepends=True)
            size, entries = one["proof"]["totalParticipants"], one["proof"]["totalEntries"]
            added = f"{size},{entries + 1},1,{'00' * 24}\n"
            lists = [lines[:n] + lines[n + 1 :] for n in range(size)]
            lists += [lines[:n] + [line] + lines[n:] for n in range(size + 1) for line in (added, lines[0], lines[-1])]
            lists += [lines[:n] + [lines[n + 1], lines[n]] + lines[n + 2 :] for n in range(size - 1)]
            for changed in lists:
                self.assertTrue(refused(one["proof"], header + "".join(changed)), changed)

    def test_a_list_in_another_format_fails(self):
        proof, text = VECTORS["proofs"][1]["proof"], VECTORS["proofs"][1]["entrants"]
        body = text.removeprefix(HEADER)
        lists = ["", HEADER, body, HEADER + text, text[:-1], text + "\n", HEADER + body.upper()]
        swaps = [("index", "number"), ("\n", "\r\n"), ("\n0,", "\n00,"), ("\n0,", "\n+0,"), (",", ";"), (",", ", ")]
        for changed in lists + [text.replace(*swap) for swap in swaps]:
            with self.subTest(changed):
                self.assertTrue(refused(proof, changed))
                self.assertIn(verify(json.dumps(proof), changed).returncode, (1, 2))


class Forgeries(unittest.TestCase):
    """For each check, a proof that fails only this check."""

    def setUp(self):
        self.drawing = Drawing("forged", [(n, n) for n in range(1, 12)])
        self.good = self.drawing.proof(7, "garden-bag")

    def failing_when(self, changes, entrants=None):
        """Returns the checks that fail after these changes, with the record hashed again."""
        proof = {**self.good["proof"], **changes}
        hashed = {"verificationHash": scheme.sha256(scheme.record_text(proof).encode()).hex()}
        return failing({**proof, **hashed, **changes}, entrants)

    def assert_only(self, check, changes):
        self.assertEqual(self.failing_when(changes, self.good["entrants"]), [check])

    def not_winning(self):
        return next(index for index in range(self.drawing.size) if index != self.drawing.winner)

    def test_an_unchanged_proof_passes(self):
        self.assertEqual(failing(self.good["proof"], self.good["entrants"]), [])

    def test_another_scheme(self):
        self.assert_only(1, {"scheme": "tombola-drawing/2"})

    def test_a_seed_that_nobody_committed_to(self):
        self.assert_only(2, {"commitment": "00" * 32})

    def test_a_winner_that_is_not_under_the_root(self):
        path = self.good["proof"]["winner"]["path"]
        self.assert_only(3, {"winner": {**self.good["proof"]["winner"], "path": [*path[1:], path[0]]}})

    def test_a_last_leaf_that_is_not_the_last(self):
        self.assert_only(4, {"last": self.drawing.proven(self.drawing.size - 2)})

    def test_a_chosen_winning_entry(self):
        winner = self.drawing.proven(self.not_winning())
        self.assert_only(5, {"winner": winner, "winningEntryNumber": winner["leaf"]["firstEntry"]})

    def test_a_winner_that_does_not_hold_the_winning_entry(self):
        self.assert_only(6, {"winner": self.drawing.proven(self.not_winning())})

    def test_a_neighbor_of_the_winner(self):
        for drawing in (Drawing(f"neighbours {n}", [(n, 1) for n in range(1, 12)]) for n in range(20)):
            self.good = drawing.proof(7, "garden-bag")
            for index in {drawing.winner - 1, drawing.winner + 1} & {*range(drawing.size)}:
                self.assert_only(6, {"winner": drawing.proven(index)})

    def test_a_record_that_was_changed(self):
        self.assert_only(7, {"verificationHash": self.good["proof"]["verificationHash"].replace("0", "1")})

    def test_a_list_that_was_changed(self):
        self.assertEqual(self.failing_when({}, self.good["entrants"].replace(",2,2,", ",2,1,")), [8])

    def test_more_entries_than_in_the_list(self):
        entries = self.drawing.entries + 1
        key = scheme.winner_key(self.drawing.seed, self.drawing.root, self.drawing.size, entries)
        number = scheme.winning_entry(key, entries)[0]
        holder = next(index for index, first, weight, _ in self.drawing.leaves if first <= number < first + weight)
        changes = {"totalEntries": entries, "winningEntryNumber": number, "winner": self.drawing.proven(holder)}
        self.assertEqual(self.failing_when(changes, self.good["entrants"]), [4, 8])

    def test_a_last_leaf_before_one_without_entries(self):
        self.drawing = Drawing("forged", [(1, 3), (2, 4), (3, 0)])
        self.good = self.drawing.proof(7, "garden-bag")
        self.assertEqual(self.failing_when({"last": self.drawing.proven(1)}), [4])

    def test_an_entrant_without_entries(self):
        self.drawing = Drawing("forged", [(1, 3), (2, 0), (3, 4)])
        self.good = self.drawing.proof(7, "garden-bag")
        self.assert_only(8, {})

    def forge_leaves(self, forge):
        self.drawing.leaves = [forge(*leaf) for leaf in self.drawing.leaves]
        self.drawing.settle()
        self.good = self.drawing.proof(7, "garden-bag")

    def test_entries_that_belong_to_two_entrants(self):
        self.forge_leaves(lambda index, first, *rest: (index, first - (index == 1), *rest))
        self.assert_only(8, {})

    def test_indexes_that_are_not_consecutive(self):
        middle = next(index for index in range(1, 10) if index != self.drawing.winner)
        self.forge_leaves(lambda index, *rest: (99 if index == middle else index, *rest))
        self.assert_only(8, {})

    def test_a_list_of_another_drawing(self):
        leaves = self.drawing.leaves
        for size, entries, known, fits in (
            (11, 66, {0: leaves[0]}, True),
            (10, 66, {}, False),
            (11, 65, {}, False),
            (11, 66, {0: (0, 1, 1, leaves[1][3])}, False),
        ):
            lines = iter(self.good["entrants"].splitlines(keepends=True))
            self.assertIs(scheme.list_fits(lines, self.drawing.root, size, entries, known), fits)

    def test_a_drawing_without_entrants(self):
        proof = {**self.good["proof"], "totalParticipants": 0, "totalEntries": 0, "winningEntryNumber": 0}
        self.assertEqual(failing(proof, HEADER), [3, 4, 5, 6, 7, 8])


class Trees(unittest.TestCase):
    def test_a_leaf_is_under_the_root_only_at_its_own_index(self):
        for size in range(1, 36):
            drawing = Drawing("tree", [(n, 1) for n in range(1, size + 1)])
            for leaf in drawing.leaves:
                path = [bytes.fromhex(beside) for beside in drawing.path(leaf[0])]
                self.assertTrue(scheme.is_under(drawing.root, size, leaf, path))
                for index in {*range(size + 2)} - {leaf[0]}:
                    self.assertFalse(scheme.is_under(drawing.root, size, (index, *leaf[1:]), path))

    def test_a_path_of_the_wrong_length_for_the_size_proves_nothing(self):
        first, second = (0, 1, 1, b"a" * 24), (1, 1, 1, b"a" * 24)
        self.assertTrue(scheme.is_under(scheme.leaf_hash(*first), 1, first, []))
        self.assertFalse(scheme.is_under(scheme.leaf_hash(*first), 2, first, []))
        self.assertFalse(scheme.is_under(scheme.leaf_hash(*second), 1, second, []))
        beside = scheme.sha256(b"beside")
        self.assertFalse(scheme.is_under(scheme.node(beside, scheme.leaf_hash(*first)), 1, first, [beside]))

    def test_the_root_needs_little_memory(self):
        tracemalloc.start()
        scheme.root(scheme.u64(n) * 4 for n in range(50_000))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(peak, 50_000)


class Program(unittest.TestCase):
    def test_a_failed_check_is_named_and_exits_with_1(self):
        done = verify(json.dumps({**VECTORS["proofs"][1]["proof"], "drawing": 99}))
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        failed = [line for line in done.stdout.splitlines() if not line.startswith("ok")]
        self.assertEqual(failed, ["FAILED 7 the verification hash fits"])

    def test_unreadable_input_prints_one_line_and_exits_with_2(self):
        good = json.dumps(VECTORS["proofs"][1]["proof"])
        proofs = [(text, None) for text in ("", "{}", "[]", "[" * 100_000, "\0")]
        lists = [(good, HEADER + line) for line in ("0,1\n", "é\n", "0" * 5000 + "\n", "1" * 30 + f",1,1,{'00' * 24}\n")]
        for proof, entrants in proofs + lists:
            done = verify(proof, entrants)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        missing = subprocess.run([sys.executable, VERIFIER, "no-such-file"], capture_output=True, text=True, check=False)
        self.assertEqual((missing.returncode, missing.stderr.count("\n")), (2, 1))


def drawn(pair):
    """Returns the root, the winning entry's number and the winner's index."""
    entrants = list(zip(pair["ids"], pair["weights"], strict=True))
    leaves = [leaf for _, leaf in scheme.leaves(bytes.fromhex(pair["saltKey"]), entrants)]
    root, entries = scheme.root(scheme.leaf_hash(*leaf) for leaf in leaves), sum(pair["weights"])
    key = scheme.winner_key(bytes.fromhex(pair["seed"]), root, len(leaves), entries)
    number = scheme.winning_entry(key, entries)[0]
    return root.hex(), number, next(index for index, first, weight, _ in leaves if first <= number < first + weight)


def compare_pairs(lines):
    count = 0
    for count, line in enumerate(lines, 1):
        pair = json.loads(line)
        told, made = (pair["root"], pair["winningEntryNumber"], pair["winnerIndex"]), drawn(pair)
        if told != made:
            sys.exit(f"line {count} differs: expected {told}, computed {made}")
    if count == 0:
        sys.exit("no input lines")
    print(count)


if __name__ == "__main__":
    if sys.argv[1:] == ["pairs"]:
        compare_pairs(sys.stdin)
    else:
        unittest.main()
