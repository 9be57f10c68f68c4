#!/usr/bin/env python3
"""Tests scripts/drawing/drand.py with the vectors of docs/beacon-vectors.json: python3 scripts/drawing/drand_test.py"""
import json, pathlib, sys, tempfile, unittest
import drand

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = json.loads((ROOT / "docs/beacon-vectors.json").read_text())
needs_py_ecc = unittest.skipUnless(drand.CAN_VERIFY, drand.NOT_CHECKED)

class Chains(unittest.TestCase):
    def test_quicknet_is_the_chain_of_the_vectors(self):
        self.assertEqual({**drand.QUICKNET, "hosts": VECTORS["chain"]["hosts"]}, VECTORS["chain"])
        self.assertEqual(drand.chain_hash(drand.QUICKNET), drand.QUICKNET["chainHash"])
        self.assertNotEqual(drand.chain_hash({**drand.QUICKNET, "period": 4}), drand.QUICKNET["chainHash"])

    def test_a_chain_file_is_read_only_with_its_own_values(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "chain.json"
            changes = ({"period": 4}, {"scheme": "other"}, {"publicKey": "00"}, {"period": "3"}, {"groupHash": None})
            for chain in ("", "[]", "{}", *(json.dumps({**VECTORS["chain"], **change}) for change in changes)):
                file.write_text(chain)
                with self.assertRaises(ValueError, msg=chain): drand.read_chain(file)
            file.write_text(json.dumps(VECTORS["chain"]))
            self.assertEqual(drand.read_chain(file), VECTORS["chain"])

class Signatures(unittest.TestCase):
    def test_malformed_signatures_are_refused_with_and_without_py_ecc(self):
        for vector in VECTORS["malformed"]:
            self.assertIs(drand.verify(drand.QUICKNET["publicKey"], 1000, vector["signature"]), False, vector["name"])

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

if __name__ == "__main__":
    if not drand.CAN_VERIFY: print(f"drand_test: skipped the signatures: {drand.NOT_CHECKED}", file=sys.stderr)
    unittest.main()
