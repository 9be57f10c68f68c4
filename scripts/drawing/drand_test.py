#!/usr/bin/env python3
"""Tests scripts/drawing/drand.py with the vectors of docs/beacon-vectors.json: python3 scripts/drawing/drand_test.py"""
import datetime, json, pathlib, subprocess, sys, tempfile, unittest
import drand

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = json.loads((ROOT / "docs/beacon-vectors.json").read_text())
needs_py_ecc = unittest.skipUnless(drand.CAN_VERIFY, drand.NOT_CHECKED)

def run(*arguments):
    script = [sys.executable, ROOT / "scripts/drawing/drand.py", *map(str, arguments)]
    done = subprocess.run(script, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr

class Calculations(unittest.TestCase):
    def test_quicknet_is_the_chain_of_the_vectors(self):
        self.assertEqual({**drand.QUICKNET, "hosts": VECTORS["chain"]["hosts"]}, VECTORS["chain"])
        self.assertEqual(drand.chain_hash(drand.QUICKNET), drand.QUICKNET["chainHash"])
        self.assertNotEqual(drand.chain_hash({**drand.QUICKNET, "period": 4}), drand.QUICKNET["chainHash"])

    def test_rounds_are_due_at_their_times(self):
        for vector in VECTORS["rounds"]:
            self.assertEqual(drand.time_of(drand.QUICKNET, vector["round"]), vector["time"])
        whole = [vector for vector in VECTORS["times"] if "." not in vector["at"]]
        self.assertGreater(len(whole), 5)
        for vector in whole:
            at = datetime.datetime.fromisoformat(vector["at"].replace("Z", "+00:00"))
            self.assertEqual(drand.first_round_at_or_after(drand.QUICKNET, int(at.timestamp())), vector["round"], vector)

    def test_randomness_is_the_hash_of_the_signature(self):
        for vector in VECTORS["rounds"]:
            self.assertEqual(drand.randomness(vector["signature"]), vector["randomness"])

    def test_malformed_signatures_are_refused_with_and_without_py_ecc(self):
        for vector in VECTORS["malformed"]:
            self.assertIs(drand.verify(drand.QUICKNET["publicKey"], 1000, vector["signature"]), False, vector["name"])
            with self.assertRaises(ValueError, msg=vector["name"]): drand.randomness(vector["signature"])

class Signatures(unittest.TestCase):
    @needs_py_ecc
    def test_real_rounds_are_signed(self):
        for vector in VECTORS["rounds"]:
            signed = drand.verify(drand.QUICKNET["publicKey"], vector["round"], vector["signature"])
            self.assertIs(signed, True, vector["round"])

    @needs_py_ecc
    def test_another_key_is_verified_with_that_key(self):
        for vector in VECTORS["ownKey"]:
            self.assertIs(drand.verify(vector["publicKey"], vector["round"], vector["signature"]), True)

    @needs_py_ecc
    def test_what_must_be_refused_is_refused(self):
        for vector in VECTORS["refused"]:
            signed = drand.verify(vector["publicKey"], vector["round"], vector["signature"])
            self.assertIs(signed, False, vector["name"])

    def test_without_py_ecc_nothing_is_claimed(self):
        could, drand.CAN_VERIFY = drand.CAN_VERIFY, False
        self.addCleanup(setattr, drand, "CAN_VERIFY", could)
        vector = VECTORS["rounds"][0]
        self.assertIsNone(drand.verify(drand.QUICKNET["publicKey"], vector["round"], vector["signature"]))

class Program(unittest.TestCase):
    def test_it_says_what_it_found(self):
        vector = VECTORS["rounds"][1]
        for number, code, text in [(vector["round"], 0, vector["randomness"]), (vector["round"] + 1, 1, "FAILED")]:
            expected = (code, text) if drand.CAN_VERIFY else (3, drand.NOT_CHECKED)
            status, output = run(number, vector["signature"])
            self.assertEqual(status, expected[0], output)
            self.assertIn(expected[1], output)

    def test_what_cannot_be_read_is_named(self):
        signature = VECTORS["rounds"][1]["signature"]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "chain.json"
            for chain in ("", "[]", "{}", json.dumps({**VECTORS["chain"], "period": 4}), json.dumps({**VECTORS["chain"], "scheme": "other"})):
                file.write_text(chain)
                self.assertEqual(run(1000, signature, "--chain", file)[0], 2, chain)
            file.write_text(json.dumps(VECTORS["chain"]))
            self.assertEqual(run(1000, signature, "--chain", file)[0], 0 if drand.CAN_VERIFY else 3)
        self.assertEqual(run(0, signature)[0], 2)
        self.assertEqual(run(1000, signature.upper())[0], 2)

if __name__ == "__main__":
    if not drand.CAN_VERIFY: print(f"drand_test: skipped the signatures: {drand.NOT_CHECKED}", file=sys.stderr)
    unittest.main()
