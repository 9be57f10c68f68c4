#!/usr/bin/env python3
"""Tests of verify_drawing.py. With the argument `compare`, recomputes drawings of another implementation instead.

`compare` reads JSON lines: seed, saltKey, ids, weights, and the expected root, winningEntryNumber and winnerIndex."""
import copy, itertools, json, pathlib, subprocess, sys, tempfile, tracemalloc, unittest
from unittest import mock

import drawing_vectors
import verify_drawing as scheme
from drawing_vectors import Drawing

VECTORS = json.loads(drawing_vectors.FILE.read_bytes())
VERIFIER = pathlib.Path(__file__).parent / "verify_drawing.py"
HEADER = "index,firstEntry,weight,blindedId\n"


def failed_checks(proof, entrants=None):
    """The numbers of the failed checks."""
    lines = iter(entrants.splitlines(keepends=True)) if entrants is not None else None
    return [int(name[0]) for name, passes in scheme.checks(scheme.read(proof, scheme.PROOF), lines) if not passes]


def is_rejected(proof, entrants=None):
    """Whether a check fails or the input cannot be read."""
    try:
        return failed_checks(proof, entrants) != []
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


def variations(value):
    """Slightly different values of the same kind."""
    if isinstance(value, int):
        return [value + 1, value + 2**32] + ([value - 1] if value > 0 else [])
    return [value[:at] + ("1" if value[at] == "0" else "0") + value[at + 1 :] for at in (0, len(value) - 2)]


def places(value, place=()):
    """The keys that lead to each number and text of a proof."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    return [place] if inner is None else [found for key, item in inner for found in places(item, (*place, key))]


def checked_places(proof):
    """All places but the two fields that section 1.8 does not check."""
    return [place for place in places(proof) if place[0] not in ("winnerLast4", "auditLogHash")]


def at(proof, place):
    for key in place:
        proof = proof[key]
    return proof


def with_value(proof, place, value):
    changed = copy.deepcopy(proof)
    at(changed, place[:-1])[place[-1]] = value
    return changed


class PublishedValues(unittest.TestCase):
    """Building blocks against published test values."""

    def test_the_keystream_is_the_published_one_of_chacha20(self):
        two_blocks = b"".join(itertools.islice(scheme.chacha20(bytes(32)), 2))
        self.assertEqual(
            two_blocks.hex(),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
        )

    def test_the_root_is_the_published_one_of_certificate_transparency(self):
        inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
        root = scheme.root(scheme.sha256(b"\x00" + bytes.fromhex(leaf)) for leaf in inputs)
        self.assertEqual(root.hex(), "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328")


class Vectors(unittest.TestCase):
    """verify_drawing.py computes the values in the file. `drawing_vectors.py --check` tests the generator."""

    def test_drawings(self):
        for vector in VECTORS["drawings"]:
            with self.subTest(vector["name"]):
                self.check_drawing(vector)

    def check_drawing(self, vector):
        seed, salt_key = bytes.fromhex(vector["seed"]), bytes.fromhex(vector["saltKey"])
        entrants = [(entrant["id"], entrant["weight"]) for entrant in vector["entrants"]]
        computed = list(scheme.leaves(salt_key, entrants))
        expected = [tuple(leaf[name] for name in ("salt", "index", "firstEntry", "blindedId", "hash")) for leaf in vector["leaves"]]
        actual = [(salt.hex(), *leaf[:2], leaf[3].hex(), scheme.leaf_hash(*leaf).hex()) for salt, leaf in computed]
        self.assertEqual(actual, expected)
        root = scheme.root(scheme.leaf_hash(*leaf) for _, leaf in computed)
        size, entries = vector["totalParticipants"], vector["totalEntries"]
        self.assertEqual((scheme.sha256(seed).hex(), root.hex()), (vector["commitment"], vector["root"]))
        self.assertEqual((len(computed), sum(weight for _, weight in entrants)), (size, entries))
        for (_, leaf), path in zip(computed, vector["paths"], strict=True):
            self.assertTrue(scheme.is_under(root, size, leaf, [bytes.fromhex(sibling) for sibling in path]))
        key = scheme.winner_key(seed, root, size, entries)
        number = scheme.winning_entry(key, entries)[0]
        self.assertEqual((key.hex(), number), (vector["key"], vector["winningEntryNumber"]))
        _, first, weight, _ = computed[vector["winnerIndex"]][1]
        self.assertTrue(first <= number < first + weight)
        lines = (f"{index},{first},{weight},{blinded.hex()}\n" for _, (index, first, weight, blinded) in computed)
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
        for vector in VECTORS["proofs"]:
            with self.subTest(vector["proof"]["drawing"]):
                self.assertEqual(scheme.record_text(vector["proof"]), vector["recordText"])
                self.assertEqual(failed_checks(vector["proof"], vector["entrants"]), [])
                process = verify(json.dumps(vector["proof"]), vector["entrants"])
                self.assertEqual((process.returncode, process.stderr), (0, ""))
                self.assertEqual([line[:8] for line in process.stdout.splitlines()], [f"ok     {n}" for n in range(1, 9)])

    def test_the_log_is_a_chain(self):
        previous = "0" * 64
        for entry in VECTORS["log"]:
            self.assertTrue(entry["text"].endswith(f"\nprevious {previous}\n"))
            previous = scheme.sha256(entry["text"].encode()).hex()
            self.assertEqual(previous, entry["hash"])


class Changes(unittest.TestCase):
    """Every change of a proof or a list is detected."""

    def test_a_proof_with_any_changed_field_is_rejected(self):
        for vector in VECTORS["proofs"]:
            for place in checked_places(vector["proof"]):
                for value in variations(at(vector["proof"], place)):
                    self.assertTrue(is_rejected(with_value(vector["proof"], place, value)), f"{place} became {value}")

    def test_a_proof_without_a_field_cannot_be_read(self):
        proof = VECTORS["proofs"][1]["proof"]
        for place in [*checked_places(proof), ("winner",), ("last", "leaf"), ("last", "path")]:
            if isinstance(place[-1], str):
                with self.subTest(place), self.assertRaises(ValueError):
                    failed_checks(with_value(proof, place, None))
                changed = copy.deepcopy(proof)
                del at(changed, place[:-1])[place[-1]]
                with self.subTest(place), self.assertRaises(ValueError):
                    failed_checks(changed)

    def test_a_field_of_the_wrong_type_or_format_cannot_be_read(self):
        proof = VECTORS["proofs"][1]["proof"]
        invalid = [None, True, 1.0, -1, 2**53, "", [], {}, "two words", "one\ntwo", "é"]
        for name, values in {
            "drawing": [*invalid, "1"],
            "landingPage": invalid,
            "seed": [*invalid, proof["seed"].upper(), proof["seed"][2:], proof["seed"] + "\n"],
            "drawnAt": [*invalid, proof["drawnAt"][:-1], proof["drawnAt"].replace("T", " "), proof["drawnAt"].replace("0", "٠")],
            "winner": [*invalid, "leaf"],
        }.items():
            for value in values:
                with self.subTest(name, value=value), self.assertRaises(ValueError):
                    failed_checks({**proof, name: value})

    def test_any_changed_path_is_rejected(self):
        extra = "00" * 32
        for vector in VECTORS["proofs"]:
            for leaf in ("winner", "last"):
                path = vector["proof"][leaf]["path"]
                changes = [[*path, extra], [extra, *path]]
                changes += [path[1:], path[:-1]] if path else []
                changes += [path[::-1]] if len(path) > 1 else []
                for changed in changes:
                    self.assertTrue(is_rejected(with_value(vector["proof"], (leaf, "path"), changed)), f"{leaf}: {changed}")

    def test_any_changed_line_of_the_list_is_rejected(self):
        for vector in VECTORS["proofs"]:
            header, *lines = vector["entrants"].splitlines(keepends=True)
            for n, line in enumerate(lines):
                cells = line.rstrip("\n").split(",")
                for column, cell in enumerate(cells):
                    for value in map(str, variations(int(cell) if column < 3 else cell)):
                        changed = ",".join([*cells[:column], value, *cells[column + 1 :]]) + "\n"
                        self.assertTrue(is_rejected(vector["proof"], header + "".join([*lines[:n], changed, *lines[n + 1 :]])), changed)

    def test_missing_added_and_swapped_lines_are_rejected(self):
        for vector in VECTORS["proofs"]:
            header, *lines = vector["entrants"].splitlines(keepends=True)
            size, entries = vector["proof"]["totalParticipants"], vector["proof"]["totalEntries"]
            added = f"{size},{entries + 1},1,{'00' * 24}\n"
            lists = [lines[:n] + lines[n + 1 :] for n in range(size)]
            lists += [lines[:n] + [line] + lines[n:] for n in range(size + 1) for line in (added, lines[0], lines[-1])]
            lists += [lines[:n] + [lines[n + 1], lines[n]] + lines[n + 2 :] for n in range(size - 1)]
            for changed in lists:
                self.assertTrue(is_rejected(vector["proof"], header + "".join(changed)), changed)

    def test_a_list_in_any_other_spelling_is_rejected(self):
        proof, text = VECTORS["proofs"][1]["proof"], VECTORS["proofs"][1]["entrants"]
        body = text.removeprefix(HEADER)
        lists = ["", HEADER, body, HEADER + text, text[:-1], text + "\n", HEADER + body.upper()]
        swaps = [("index", "number"), ("\n", "\r\n"), ("\n0,", "\n00,"), ("\n0,", "\n+0,"), (",", ";"), (",", ", ")]
        for changed in lists + [text.replace(*swap) for swap in swaps]:
            with self.subTest(changed):
                self.assertTrue(is_rejected(proof, changed))
                self.assertIn(verify(json.dumps(proof), changed).returncode, (1, 2))


class Forgeries(unittest.TestCase):
    """For each check, a forged proof that only this check rejects."""

    def setUp(self):
        self.drawing = Drawing("forged", [(n, n) for n in range(1, 12)])
        self.good = self.drawing.proof(7, "garden-bag")

    def failed_checks_with(self, changes, entrants=None):
        """The checks that fail when the record is changed and hashed again."""
        proof = {**self.good["proof"], **changes}
        new_hash = {"verificationHash": scheme.sha256(scheme.record_text(proof).encode()).hex()}
        return failed_checks({**proof, **new_hash, **changes}, entrants)

    def assert_only_fails(self, check, changes):
        self.assertEqual(self.failed_checks_with(changes, self.good["entrants"]), [check])

    def losing_index(self):
        return next(index for index in range(self.drawing.size) if index != self.drawing.winner)

    def test_the_proof_itself_is_valid(self):
        self.assertEqual(failed_checks(self.good["proof"], self.good["entrants"]), [])

    def test_another_scheme(self):
        self.assert_only_fails(1, {"scheme": "tombola-drawing/2"})

    def test_a_seed_without_a_commitment(self):
        self.assert_only_fails(2, {"commitment": "00" * 32})

    def test_a_winner_that_is_not_under_the_root(self):
        path = self.good["proof"]["winner"]["path"]
        self.assert_only_fails(3, {"winner": {**self.good["proof"]["winner"], "path": [*path[1:], path[0]]}})

    def test_a_last_leaf_that_is_not_the_last(self):
        self.assert_only_fails(4, {"last": self.drawing.proven(self.drawing.size - 2)})

    def test_a_chosen_winning_entry(self):
        winner = self.drawing.proven(self.losing_index())
        self.assert_only_fails(5, {"winner": winner, "winningEntryNumber": winner["leaf"]["firstEntry"]})

    def test_a_winner_that_does_not_hold_the_winning_entry(self):
        self.assert_only_fails(6, {"winner": self.drawing.proven(self.losing_index())})

    def test_a_neighbor_of_the_winner(self):
        for drawing in (Drawing(f"neighbors {n}", [(n, 1) for n in range(1, 12)]) for n in range(20)):
            self.good = drawing.proof(7, "garden-bag")
            for index in {drawing.winner - 1, drawing.winner + 1} & {*range(drawing.size)}:
                self.assert_only_fails(6, {"winner": drawing.proven(index)})

    def test_a_record_that_was_changed(self):
        self.assert_only_fails(7, {"verificationHash": self.good["proof"]["verificationHash"].replace("0", "1")})

    def test_a_list_that_was_changed(self):
        self.assertEqual(self.failed_checks_with({}, self.good["entrants"].replace(",2,2,", ",2,1,")), [8])

    def test_more_entries_than_in_the_list(self):
        entries = self.drawing.entries + 1
        key = scheme.winner_key(self.drawing.seed, self.drawing.root, self.drawing.size, entries)
        number = scheme.winning_entry(key, entries)[0]
        holder = next(index for index, first, weight, _ in self.drawing.leaves if first <= number < first + weight)
        changes = {"totalEntries": entries, "winningEntryNumber": number, "winner": self.drawing.proven(holder)}
        self.assertEqual(self.failed_checks_with(changes, self.good["entrants"]), [4, 8])

    def test_a_last_leaf_that_is_followed_by_one_without_entries(self):
        self.drawing = Drawing("forged", [(1, 3), (2, 4), (3, 0)])
        self.good = self.drawing.proof(7, "garden-bag")
        self.assertEqual(self.failed_checks_with({"last": self.drawing.proven(1)}), [4])

    def test_an_entrant_without_entries(self):
        self.drawing = Drawing("forged", [(1, 3), (2, 0), (3, 4)])
        self.good = self.drawing.proof(7, "garden-bag")
        self.assert_only_fails(8, {})

    def forge_leaves(self, forge):
        self.drawing.leaves = [forge(*leaf) for leaf in self.drawing.leaves]
        self.drawing.compute()
        self.good = self.drawing.proof(7, "garden-bag")

    def test_an_entry_that_belongs_to_two_entrants(self):
        self.forge_leaves(lambda index, first, *rest: (index, first - (index == 1), *rest))
        self.assert_only_fails(8, {})

    def test_an_index_out_of_order(self):
        middle = next(index for index in range(1, 10) if index != self.drawing.winner)
        self.forge_leaves(lambda index, *rest: (99 if index == middle else index, *rest))
        self.assert_only_fails(8, {})

    def test_a_list_of_another_drawing(self):
        leaves = self.drawing.leaves
        for size, entries, known, matches in (
            (11, 66, {0: leaves[0]}, True),
            (10, 66, {}, False),
            (11, 65, {}, False),
            (11, 66, {0: (0, 1, 1, leaves[1][3])}, False),
        ):
            lines = iter(self.good["entrants"].splitlines(keepends=True))
            self.assertIs(scheme.list_matches(lines, self.drawing.root, size, entries, known), matches)

    def test_a_drawing_without_entrants(self):
        proof = {**self.good["proof"], "totalParticipants": 0, "totalEntries": 0, "winningEntryNumber": 0}
        self.assertEqual(failed_checks(proof, HEADER), [3, 4, 5, 6, 7, 8])


class Trees(unittest.TestCase):
    def test_a_path_proves_a_leaf_only_at_its_own_index(self):
        for size in range(1, 36):
            drawing = Drawing("tree", [(n, 1) for n in range(1, size + 1)])
            for leaf in drawing.leaves:
                path = [bytes.fromhex(sibling) for sibling in drawing.path(leaf[0])]
                self.assertTrue(scheme.is_under(drawing.root, size, leaf, path))
                for index in {*range(size + 2)} - {leaf[0]}:
                    self.assertFalse(scheme.is_under(drawing.root, size, (index, *leaf[1:]), path))

    def test_a_path_of_the_wrong_length_is_rejected(self):
        first, second = (0, 1, 1, b"a" * 24), (1, 1, 1, b"a" * 24)
        self.assertTrue(scheme.is_under(scheme.leaf_hash(*first), 1, first, []))
        self.assertFalse(scheme.is_under(scheme.leaf_hash(*first), 2, first, []))
        self.assertFalse(scheme.is_under(scheme.leaf_hash(*second), 1, second, []))
        sibling = scheme.sha256(b"sibling")
        self.assertFalse(scheme.is_under(scheme.node(sibling, scheme.leaf_hash(*first)), 1, first, [sibling]))

    def test_the_root_needs_little_memory(self):
        tracemalloc.start()
        scheme.root(scheme.u64(n) * 4 for n in range(50_000))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(peak, 50_000)


class Program(unittest.TestCase):
    def test_a_failed_check_is_named_and_exits_with_1(self):
        process = verify(json.dumps({**VECTORS["proofs"][1]["proof"], "drawing": 99}))
        self.assertEqual((process.returncode, process.stderr), (1, ""))
        failed = [line for line in process.stdout.splitlines() if not line.startswith("ok")]
        self.assertEqual(failed, ["FAILED 7 the verification hash is the record's"])

    def test_unreadable_input_prints_one_line_and_exits_with_2(self):
        good = json.dumps(VECTORS["proofs"][1]["proof"])
        proofs = [(text, None) for text in ("", "{}", "[]", "[" * 100_000, "\0")]
        lists = [(good, HEADER + line) for line in ("0,1\n", "é\n", "0" * 5000 + "\n", "1" * 30 + f",1,1,{'00' * 24}\n")]
        for proof, entrants in proofs + lists:
            process = verify(proof, entrants)
            self.assertEqual((process.returncode, process.stderr.count("\n")), (2, 1), process.stderr)
        missing = subprocess.run([sys.executable, VERIFIER, "no-such-file"], capture_output=True, text=True, check=False)
        self.assertEqual((missing.returncode, missing.stderr.count("\n")), (2, 1))


def compute(drawing):
    """The root, the winning entry's number and the winner's index."""
    entrants = list(zip(drawing["ids"], drawing["weights"], strict=True))
    leaves = [leaf for _, leaf in scheme.leaves(bytes.fromhex(drawing["saltKey"]), entrants)]
    root, entries = scheme.root(scheme.leaf_hash(*leaf) for leaf in leaves), sum(drawing["weights"])
    key = scheme.winner_key(bytes.fromhex(drawing["seed"]), root, len(leaves), entries)
    number = scheme.winning_entry(key, entries)[0]
    return root.hex(), number, next(index for index, first, weight, _ in leaves if first <= number < first + weight)


def compare(lines):
    count = 0
    for count, line in enumerate(lines, 1):
        drawing = json.loads(line)
        expected = drawing["root"], drawing["winningEntryNumber"], drawing["winnerIndex"]
        actual = compute(drawing)
        if actual != expected:
            sys.exit(f"line {count} differs: expected {expected}, computed {actual}")
    if count == 0:
        sys.exit("standard input has no lines")
    print(count)


if __name__ == "__main__":
    if sys.argv[1:] == ["compare"]:
        compare(sys.stdin)
    else:
        unittest.main()
