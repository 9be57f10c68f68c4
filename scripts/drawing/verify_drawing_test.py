#!/usr/bin/env python3
"""Tests of verify_drawing.py. With the argument `compare`, recomputes drawings of another implementation instead.

`compare` reads JSON lines: seed, saltKey, ids, weights, and the expected root, winningEntryNumber and winnerIndex."""
import copy, itertools, json, os, pathlib, struct, subprocess, sys, tempfile, tracemalloc, unittest
from unittest import mock

import drand
import drawing_vectors
import verify_drawing as scheme
from drawing_vectors import Drawing

VECTORS = json.loads(drawing_vectors.FILE.read_bytes())
VECTORS_2 = json.loads(drawing_vectors.FILE_2.read_bytes())
PROOFS_2 = {vector["name"]: vector for vector in VECTORS_2["proofs"]}
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


def known_signature(public_key, beacon_round, signature):
    """Stands in for the check of a signature: these are the valid ones that the vectors have."""
    is_quicknet = public_key == drand.QUICKNET["publicKey"]
    return is_quicknet and drawing_vectors.SIGNATURES.get(beacon_round) == signature


def results_2(proof, entrants=None, log=None, chain=None, verify=known_signature):
    """What each check says, by its name."""
    lines = iter(entrants.splitlines(keepends=True)) if entrants is not None else None
    copy_of_log = log and scheme.read_log(json.dumps(entry) for entry in log)
    chain = chain and scheme.read(chain, scheme.CHAIN)
    found = scheme.checks_2(scheme.read_proof_2(proof), lines, copy_of_log, chain, verify)
    return {name: (passes, says) for name, passes, says in found}


def failed_2(*arguments, **named):
    results = results_2(*arguments, **named)
    assert all(passes in (True, False, None) for passes, _ in results.values())
    return [name for name, (passes, _) in results.items() if passes is False]


def said(results):
    return [says for _, says in results.values() if says]


class Vectors2(unittest.TestCase):
    """verify_drawing.py computes the values of version 2 in the file."""

    def test_drawings(self):
        for vector in VECTORS_2["drawings"]:
            with self.subTest(vector["name"]):
                self.check_drawing(vector)

    def check_drawing(self, vector):
        tags = [scheme.tag(bytes.fromhex(each["personSalt"]), each["number"]) for each in vector["entrants"]]
        entrants = [(each["id"], each["weight"], tag) for each, tag in zip(vector["entrants"], tags)]
        computed = list(scheme.leaves_2(bytes.fromhex(vector["saltKey"]), entrants))
        names = ("tag", "salt", "index", "firstEntry", "blindedId", "hash")
        expected = [tuple(leaf[name] for name in names) for leaf in vector["leaves"]]
        actual = [
            (tag.hex(), salt.hex(), *leaf[:2], leaf[3].hex(), scheme.leaf_hash(*leaf).hex())
            for tag, (salt, leaf) in zip(tags, computed)
        ]
        self.assertEqual(actual, expected)
        root = scheme.root(scheme.leaf_hash(*leaf) for _, leaf in computed)
        weights_hash = scheme.weights_hash(leaf[2] for _, leaf in computed)
        self.assertEqual((root.hex(), weights_hash.hex()), (vector["root"], vector["weightsHash"]))
        self.assertEqual((len(computed), computed[-1][1][1] + computed[-1][1][2] - 1), (vector["totalParticipants"], vector["totalEntries"]))
        for (_, leaf), path in zip(computed, vector["paths"], strict=True):
            self.assertTrue(scheme.is_under(root, len(computed), leaf, [bytes.fromhex(sibling) for sibling in path]))
        lines = (f"{index},{first},{weight},{blinded.hex()}\n" for _, (index, first, weight, blinded) in computed)
        self.assertEqual(vector["csv"], HEADER + "".join(lines))

    def test_the_log_is_a_chain(self):
        previous = bytes(32)
        for vector in VECTORS_2["log"]:
            entry = scheme.read(vector["entry"], scheme.ENTRY)
            self.assertEqual((scheme.log_text(entry), entry["previous"]), (vector["text"], previous))
            self.assertEqual(scheme.log_hash(entry), entry["hash"])
            previous = entry["hash"]

    def test_draws(self):
        for vector in VECTORS_2["draws"]:
            with self.subTest(vector["name"]):
                self.check_draw(vector)
        self.assertTrue(any(len(vector["ranks"]) < min(10, len(vector["weights"])) for vector in VECTORS_2["draws"]))

    def check_draw(self, vector):
        hashes = [bytes.fromhex(vector[name]) for name in ("openingHash", "seed", "root", "weightsHash")]
        size, entries, randomness = vector["totalParticipants"], vector["totalEntries"], bytes.fromhex(vector["randomness"])
        key = scheme.draw_key(*hashes, size, entries, vector["round"], randomness)
        self.assertEqual(key.hex(), vector["key"])
        outputs = (x for block in scheme.chacha20(key) for x in struct.unpack("<8Q", block))
        self.assertEqual([str(x) for x in itertools.islice(outputs, 20)], vector["firstOutputs"])
        firsts = [*itertools.accumulate(vector["weights"], initial=1)]
        ranks = [
            {
                "rank": n,
                "entryNumber": rank["entryNumber"],
                "leaf": dict(zip(scheme.PROVEN["leaf"], (rank["index"], firsts[rank["index"]], vector["weights"][rank["index"]], b""))),
            }
            for n, rank in enumerate(vector["ranks"])
        ]
        self.assertTrue(scheme.ranks_match(key, size, entries, ranks))
        if vector["outputsRead"] < scheme.MAX_OUTPUTS:
            self.assertFalse(scheme.ranks_match(key, size, entries, ranks[:-1]))
            self.assertFalse(scheme.ranks_match(key, size, entries, [*ranks, ranks[-1]]))

    def test_proofs(self):
        for vector in VECTORS_2["proofs"]:
            for log in ("noLog", "logBefore", "logAfter"):
                with self.subTest(vector["name"], log=log):
                    results = results_2(vector["proof"], vector["entrants"], vector.get(log), vector.get("chainFile"))
                    self.assertEqual([name for name, (passes, _) in results.items() if passes is False], [])
                    self.assertEqual(said(results), vector["says"][log])
            if vector["recordText"]:
                self.assertEqual(scheme.record_text_2(scheme.read_proof_2(vector["proof"])), vector["recordText"])

    def test_each_forgery_fails_in_these_checks_only(self):
        for case in VECTORS_2["cases"]:
            with self.subTest(case["name"]):
                vector = PROOFS_2[case["proof"]]
                proof, entrants = {**vector["proof"], **case["changes"]}, case.get("entrants", vector["entrants"])
                self.assertEqual(failed_2(proof, entrants, case.get("log")), case["fails"])

    def test_there_is_a_case_for_each_check(self):
        self.assertEqual({name for case in VECTORS_2["cases"] for name in case["fails"]}, {*results_2(**self.whole())})
        alone = {case["fails"][0] for case in VECTORS_2["cases"] if len(case["fails"]) == 1}
        self.assertEqual({*results_2(**self.whole())} - alone, {"scheme"})

    def whole(self):
        vector = PROOFS_2["drawn"]
        return {"proof": vector["proof"], "entrants": vector["entrants"], "log": vector["logBefore"]}


class Changes2(unittest.TestCase):
    def is_rejected(self, proof):
        try:
            return failed_2(proof, PROOFS_2["drawn"]["entrants"]) != []
        except ValueError:
            return True

    def test_a_proof_with_any_changed_field_is_rejected(self):
        proof = PROOFS_2["drawn"]["proof"]
        for place in (place for place in checked_places(proof) if place[0] != "status"):
            old = at(proof, place)
            for value in variations(old) if old is not None else (0, "", "00" * 32):
                self.assertTrue(self.is_rejected(with_value(proof, place, value)), f"{place} became {value}")

    def test_a_winner_counts_only_when_it_is_drawn(self):
        proof = PROOFS_2["drawn"]["proof"]
        for status in ("sealed", "void", "announced", "Drawn", "", None, 1):
            with self.subTest(status), self.assertRaises(ValueError):
                results_2({**proof, "status": status})

    def test_details_that_are_no_object_fail(self):
        for details in ("", "1", "[]", "{", "null", "[" * 100_000):
            changed = with_value(PROOFS_2["drawn"]["proof"], ("announcement", "details"), details)
            self.assertIn("announcement", failed_2(changed))

    def test_a_boolean_is_no_number(self):
        vector = PROOFS_2["additional"]
        self.assertEqual(vector["proof"]["totalParticipants"], 1)
        self.assertFalse(scheme.is_same(1, True))


class Beacons(unittest.TestCase):
    def test_another_chain_needs_its_file(self):
        vector = PROOFS_2["another chain"]
        self.assertEqual(results_2(vector["proof"])["beacon"], (None, scheme.COULD_HAVE_KNOWN))
        other = {**vector["chainFile"], "chainHash": "ab" * 32}
        self.assertEqual(results_2(vector["proof"], chain=other)["beacon"], (None, scheme.COULD_HAVE_KNOWN))
        self.assertEqual(results_2(vector["proof"], chain=vector["chainFile"])["beacon"], (True, None))
        wrong_key = {**vector["chainFile"], "publicKey": "00" * 96}
        self.assertEqual(failed_2(vector["proof"], chain=wrong_key), ["beacon"])

    def test_the_key_of_quicknet_does_not_come_from_a_file(self):
        file = {**drand.QUICKNET, "publicKey": "00" * 96}
        self.assertEqual(failed_2(PROOFS_2["drawn"]["proof"], chain=file), [])

    def test_what_is_signed_is_checked_only_with_the_library(self):
        results = results_2(PROOFS_2["drawn"]["proof"], verify=lambda *_: None)
        self.assertEqual(results["beacon"][0], None)
        self.assertIn("was not checked", results["beacon"][1])


class Program2(unittest.TestCase):
    def run_on(self, vector, *files):
        """Runs the program without py_ecc, on the proof and on members of the vector."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "py_ecc.py").write_text("raise ImportError")
            arguments = [self.file(folder, "proof", json.dumps(vector["proof"]))]
            for option, member in files:
                arguments += [f"--{option}", self.file(folder, option, self.text(vector[member]))]
            command, environment = [sys.executable, VERIFIER, *arguments], {**os.environ, "PYTHONPATH": folder}
            return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    def file(self, folder, name, text):
        path = pathlib.Path(folder, name)
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def text(self, value):
        if isinstance(value, list):
            return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in value)
        return value if isinstance(value, str) else json.dumps(value)

    def test_a_proof_with_all_files(self):
        process = self.run_on(PROOFS_2["drawn"], ("entrants", "entrants"), ("log", "logBefore"))
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        lines = process.stdout.splitlines()
        self.assertEqual(len(lines), 11)
        self.assertIn(f"?      beacon: {drand.NOT_CHECKED}", lines)
        self.assertEqual(lines[-1], "ok     witness: sealed before the beacon")

    def test_a_chain_file(self):
        process = self.run_on(PROOFS_2["another chain"], ("chain", "chainFile"))
        self.assertNotIn(scheme.COULD_HAVE_KNOWN, process.stdout)
        self.assertIn(scheme.COULD_HAVE_KNOWN, self.run_on(PROOFS_2["another chain"]).stdout)

    def test_a_drawing_without_a_beacon(self):
        process = self.run_on(PROOFS_2["beacon off"], ("log", "logBefore"))
        self.assertEqual(process.returncode, 0)
        self.assertIn("ok     beacon: the operator could have known the winner", process.stdout)
        self.assertIn("ok     witness: time of seal not witnessed", process.stdout)

    def test_a_sealed_drawing(self):
        process = self.run_on(PROOFS_2["sealed"], ("entrants", "entrants"))
        self.assertEqual(process.returncode, 0)
        self.assertIn("The drawing is sealed: it has no winner to check.", process.stdout)
        self.assertNotIn("draw\n", process.stdout)

    def test_a_failed_check_is_named_and_exits_with_1(self):
        changed = {"proof": {**PROOFS_2["drawn"]["proof"], "winningEntryNumber": 1}}
        process = self.run_on(changed)
        self.assertEqual((process.returncode, process.stderr), (1, ""))
        self.assertIn("FAILED draw\n", process.stdout)

    def test_unreadable_input_prints_one_line_and_exits_with_2(self):
        good = PROOFS_2["drawn"]
        for vector, *files in (
            ({"proof": {"scheme": scheme.SCHEME_2}},),
            ({**good, "log": "{}\n"}, ("log", "log")),
            ({**good, "log": "not json\n"}, ("log", "log")),
            ({**good, "chain": "{}"}, ("chain", "chain")),
            ({**good, "list": HEADER + "0,1\n"}, ("entrants", "list")),
        ):
            process = self.run_on(vector, *files)
            self.assertEqual((process.returncode, process.stderr.count("\n")), (2, 1), process.stderr)


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
