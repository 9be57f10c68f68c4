#!/usr/bin/env python3
"""Tests of verify_drawing.py."""
import copy, itertools, json, os, pathlib, subprocess, sys, tempfile, tracemalloc, unittest
from unittest import mock

import drand
import drawing_vectors
import verify_drawing as scheme
from drawing_vectors import Drawing

VECTORS = json.loads(drawing_vectors.FILE.read_bytes())
PROOFS = {vector["name"]: vector for vector in VECTORS["proofs"]}
DRAWN = [vector for vector in VECTORS["proofs"] if vector["proof"]["status"] == "drawn"]
VERIFIER = pathlib.Path(__file__).parent / "verify_drawing.py"


def known_signature(public_key, beacon_round, signature):
    """Stands in for the check of a signature: these are the valid ones that the vectors have."""
    is_quicknet = public_key == drand.QUICKNET["publicKey"]
    return is_quicknet and drawing_vectors.SIGNATURES.get(beacon_round) == signature


def results_of(proof, entrants=None, log=None, chain=None):
    """What each check says, by its name."""
    lines = iter(entrants.splitlines(keepends=True)) if entrants is not None else None
    copy_of_log = log and scheme.read_log(json.dumps(entry) for entry in log)
    checks = scheme.checks(scheme.read_proof(proof), lines, copy_of_log, chain, known_signature)
    return {name: (passes, says) for name, passes, says in checks}


def failed_checks(*arguments, **named):
    results = results_of(*arguments, **named)
    assert all(passes in (True, False, None) for passes, _ in results.values())
    return [name for name, (passes, _) in results.items() if passes is False]


def said(results):
    return [says for _, says in results.values() if says]


def variations(value):
    """Slightly different values of the same kind."""
    if value is None:
        return [0, "", "00" * 32]
    if isinstance(value, int):
        return [value + 1, value + 2**32] + ([value - 1] if value > 0 else [])
    return [value[:at] + ("1" if value[at] == "0" else "0") + value[at + 1 :] for at in (0, len(value) - 2)]


def places(value, place=()):
    """The keys that lead to each number and text of a proof."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    return [place] if inner is None else [found for key, item in inner for found in places(item, (*place, key))]


def checked_places(proof):
    """All places but the status and the two fields that section 10 does not check."""
    return [place for place in places(proof) if place[0] not in ("status", "winnerLast4", "auditLogHash")]


def at(proof, place):
    for key in place:
        proof = proof[key]
    return proof


def with_value(proof, place, value):
    changed = copy.deepcopy(proof)
    at(changed, place[:-1])[place[-1]] = value
    return changed


class Vectors(unittest.TestCase):
    """What is in the file beside the values that verify_drawing.py computes: `drawing_vectors.py --check` compares those."""

    def test_draws(self):
        for vector in VECTORS["draws"]:
            with self.subTest(vector["name"]):
                self.check_draw(vector)
        self.assertTrue(any(len(vector["ranks"]) < min(10, len(vector["weights"])) for vector in VECTORS["draws"]))

    def test_the_smallest_skipped_output_is_the_limit(self):
        entries = limit = 2**63 + 1
        block = b"".join(x.to_bytes(8, "little") for x in (2**64 - 1, limit, limit - 1, 0, 0, 0, 0, 0))
        with mock.patch.object(scheme, "chacha20", lambda key: iter([block])):
            self.assertEqual([*scheme.drawn_entries(b"", entries)], [entries, 1, 1, 1, 1, 1])

    def check_draw(self, vector):
        size, entries = vector["totalParticipants"], vector["totalEntries"]
        firsts = [*itertools.accumulate(vector["weights"], initial=1)]
        ranks = [
            {
                "rank": n,
                "entryNumber": rank["entryNumber"],
                "leaf": dict(zip(scheme.PROVEN["leaf"], (rank["index"], firsts[rank["index"]], vector["weights"][rank["index"]], b""))),
            }
            for n, rank in enumerate(vector["ranks"])
        ]
        key = bytes.fromhex(vector["key"])
        self.assertTrue(scheme.ranks_match(key, size, entries, ranks))
        if vector["outputsRead"] < scheme.MAX_OUTPUTS:
            self.assertFalse(scheme.ranks_match(key, size, entries, ranks[:-1]))
            self.assertFalse(scheme.ranks_match(key, size, entries, [*ranks, ranks[-1]]))

    def test_proofs(self):
        for vector in VECTORS["proofs"]:
            for log in ("noLog", "logBefore", "logAfter"):
                with self.subTest(vector["name"], log=log):
                    results = results_of(vector["proof"], vector["entrants"], vector.get(log), vector.get("chainFile"))
                    self.assertEqual([name for name, (passes, _) in results.items() if passes is False], [])
                    self.assertEqual(said(results), vector["says"][log])
            if vector["recordText"]:
                self.assertEqual(scheme.record_text(scheme.read_proof(vector["proof"])), vector["recordText"])

    def test_each_forgery_fails_in_these_checks_only(self):
        for case in VECTORS["cases"]:
            with self.subTest(case["name"]):
                vector = PROOFS[case["proof"]]
                proof, entrants = {**vector["proof"], **case["changes"]}, case.get("entrants", vector["entrants"])
                self.assertEqual(failed_checks(proof, entrants, case.get("log")), case["fails"])

    def test_there_is_a_case_for_each_check(self):
        checks = {*results_of(**self.whole()), *results_of(PROOFS["void"]["proof"])}
        self.assertEqual({name for case in VECTORS["cases"] for name in case["fails"]}, checks)
        alone = {case["fails"][0] for case in VECTORS["cases"] if len(case["fails"]) == 1}
        self.assertEqual(checks - alone, {"scheme"})

    def whole(self):
        vector = PROOFS["drawn"]
        return {"proof": vector["proof"], "entrants": vector["entrants"], "log": vector["logBefore"]}


class Changes(unittest.TestCase):
    """Every change of a proof or a list is detected."""

    def assert_rejected(self, vector, changed, message):
        """A check fails, or the input cannot be read."""
        try:
            results = results_of(changed, vector["entrants"], chain=vector.get("chainFile"))
        except ValueError:
            return
        self.assertIn(False, [passes for passes, _ in results.values()], f"{vector['name']}: {message}")

    def test_a_proof_with_any_changed_field_is_rejected(self):
        for vector in DRAWN:
            for place in checked_places(vector["proof"]):
                for value in variations(at(vector["proof"], place)):
                    self.assert_rejected(vector, with_value(vector["proof"], place, value), f"{place} became {value}")

    def test_a_proof_without_a_field_is_rejected(self):
        vector = PROOFS["drawn"]
        inner = [("winner",), ("last", "leaf"), ("last", "path"), ("ranks",), ("beacon",), ("announcement",), ("seal",)]
        for place in [*checked_places(vector["proof"]), *inner]:
            if isinstance(place[-1], str) and at(vector["proof"], place) is not None:
                self.assert_rejected(vector, with_value(vector["proof"], place, None), f"{place} became null")
                changed = copy.deepcopy(vector["proof"])
                del at(changed, place[:-1])[place[-1]]
                self.assert_rejected(vector, changed, f"{place} is missing")

    def test_a_proof_that_does_not_say_whether_it_has_a_version_cannot_be_read(self):
        for vector in VECTORS["proofs"]:
            proof = {name: value for name, value in vector["proof"].items() if name != "version"}
            with self.subTest(vector["name"]), self.assertRaises(ValueError):
                results_of(proof)

    def test_a_field_of_the_wrong_type_or_format_cannot_be_read(self):
        proof = PROOFS["drawn"]["proof"]
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

    def test_a_list_in_any_other_spelling_is_rejected(self):
        vector, header = PROOFS["another chain"], scheme.HEADER
        text, body = vector["entrants"], vector["entrants"].removeprefix(header)
        lists = ["", header, body, header + text, text[:-1], text + "\n", header + body.upper()]
        swaps = [("index", "number"), ("\n", "\r\n"), ("\n0,", "\n00,"), ("\n0,", "\n+0,"), (",", ";"), (",", ", ")]
        for changed in lists + [text.replace(*swap) for swap in swaps]:
            with self.subTest(changed):
                process = run_on({**vector, "list": changed}, ("entrants", "list"))
                self.assertIn(process.returncode, (1, 2))

    def test_a_drawing_without_entrants_is_rejected(self):
        proof = {**PROOFS["drawn"]["proof"], "totalParticipants": 0, "totalEntries": 0, "winningEntryNumber": 0, "ranks": []}
        self.assertLessEqual({"lastLeaf", "draw", "record", "list"}, {*failed_checks(proof, scheme.HEADER)})

    def test_a_winner_counts_only_when_it_is_drawn(self):
        proof = PROOFS["drawn"]["proof"]
        for status in ("sealed", "void", "announced", "Drawn", "", None, 1):
            with self.subTest(status), self.assertRaises(ValueError):
                results_of({**proof, "status": status})

    def test_details_that_are_no_object_fail(self):
        for details in ("", "1", "[]", "{", "null", "[" * 100_000):
            changed = with_value(PROOFS["drawn"]["proof"], ("announcement", "details"), details)
            self.assertIn("announcement", failed_checks(changed))

    def test_a_boolean_is_no_number(self):
        vector = PROOFS["additional"]
        self.assertEqual(vector["proof"]["totalParticipants"], 1)
        self.assertFalse(scheme.is_same(1, True))
        self.assertFalse(scheme.is_same([{"valueInCents": 1}], [{"valueInCents": True}]))
        self.assertFalse(scheme.is_same([{"valueInCents": 1}], [{"valueInCents": 1.0}]))


class Trees(unittest.TestCase):
    def test_only_its_own_path_proves_a_leaf_and_only_at_its_own_index(self):
        for size in range(1, 36):
            drawing = Drawing("tree", [(n, 1) for n in range(1, size + 1)])
            for leaf in drawing.leaves:
                path = [bytes.fromhex(sibling) for sibling in drawing.path(leaf[0])]
                self.assertTrue(scheme.is_under(drawing.root, size, leaf, path))
                others = [[*path, bytes(32)], [bytes(32), *path]]
                others += [path[1:], path[:-1]] if path else []
                others += [path[::-1]] if len(path) > 1 else []
                for other in others:
                    self.assertFalse(scheme.is_under(drawing.root, size, leaf, other))
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


class Beacons(unittest.TestCase):
    def test_another_chain_needs_its_file(self):
        vector = PROOFS["another chain"]
        self.assertEqual(results_of(vector["proof"])["beacon"], (None, scheme.COULD_HAVE_KNOWN))
        other = {**vector["chainFile"], "chainHash": "ab" * 32}
        self.assertEqual(results_of(vector["proof"], chain=other)["beacon"], (None, scheme.COULD_HAVE_KNOWN))
        self.assertEqual(results_of(vector["proof"], chain=vector["chainFile"])["beacon"], (True, None))
        wrong_key = {**vector["chainFile"], "publicKey": "00" * 96}
        self.assertEqual(failed_checks(vector["proof"], chain=wrong_key), ["beacon"])

    def test_the_key_of_quicknet_does_not_come_from_a_file(self):
        file = {**drand.QUICKNET, "publicKey": "00" * 96}
        self.assertEqual(failed_checks(PROOFS["drawn"]["proof"], chain=file), [])


def run_on(vector, *files):
    """Runs the program without py_ecc, on the proof and on members of the vector."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "py_ecc.py").write_text("raise ImportError")
        arguments = [written(folder, "proof", vector["proof"])]
        for option, member in files:
            arguments += [f"--{option}", written(folder, option, vector[member])]
        command, environment = [sys.executable, VERIFIER, *arguments], {**os.environ, "PYTHONPATH": folder}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def written(folder, name, value):
    """A file with this text, entries of the log or object."""
    path = pathlib.Path(folder, name)
    if isinstance(value, list):
        value = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in value)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8", newline="\n")
    return path


LINES_OF_NO_LIST = ("0,1\n", "é\n", "0" * 5000 + "\n", "1" * 30 + f",1,1,{'00' * 24}\n")


class Program(unittest.TestCase):
    def test_a_proof_with_all_files(self):
        process = run_on(PROOFS["drawn"], ("entrants", "entrants"), ("log", "logBefore"))
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        lines = process.stdout.splitlines()
        self.assertEqual(len(lines), 12)
        self.assertIn(f"?      beacon: {drand.NOT_CHECKED}", lines)
        self.assertEqual(lines[-1], "ok     witness: sealed before the beacon")

    def test_a_chain_file(self):
        process = run_on(PROOFS["another chain"], ("chain", "chainFile"))
        self.assertNotIn(scheme.COULD_HAVE_KNOWN, process.stdout)
        self.assertIn(scheme.COULD_HAVE_KNOWN, run_on(PROOFS["another chain"]).stdout)

    def test_a_sealed_drawing(self):
        process = run_on(PROOFS["sealed"], ("entrants", "entrants"))
        self.assertEqual(process.returncode, 0)
        self.assertIn("The drawing is sealed: it has no winner to check.", process.stdout)
        self.assertNotIn("draw\n", process.stdout)

    def test_a_failed_check_is_named_and_exits_with_1(self):
        changed = {"proof": {**PROOFS["drawn"]["proof"], "winningEntryNumber": 1}}
        process = run_on(changed)
        self.assertEqual((process.returncode, process.stderr), (1, ""))
        self.assertIn("FAILED draw\n", process.stdout)

    def test_unreadable_input_prints_one_line_and_exits_with_2(self):
        good = PROOFS["drawn"]
        for vector, *files in (
            *(({**good, "proof": proof},) for proof in ("", "{}", "[]", "[" * 100_000, "\0", {"scheme": scheme.SCHEME})),
            *(({**good, "list": scheme.HEADER + line}, ("entrants", "list")) for line in LINES_OF_NO_LIST),
            ({**good, "log": "{}\n"}, ("log", "log")),
            ({**good, "log": "not json\n"}, ("log", "log")),
            ({**good, "chain": "{}"}, ("chain", "chain")),
        ):
            process = run_on(vector, *files)
            self.assertEqual((process.returncode, process.stderr.count("\n")), (2, 1), process.stderr)
        missing = subprocess.run([sys.executable, VERIFIER, "no-such-file"], capture_output=True, text=True, check=False)
        self.assertEqual((missing.returncode, missing.stderr.count("\n")), (2, 1))


if __name__ == "__main__":
    unittest.main()
