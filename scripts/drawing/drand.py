#!/usr/bin/env python3
"""Verifies a round of a drand beacon: python3 scripts/drawing/drand.py ROUND SIGNATURE [--chain FILE]. Without a chain file it
is a round of quicknet. The signature is checked only if py_ecc is installed (pip install py_ecc==8.0.0). Exit codes: 0
when the signature is valid, 1 when it is not, 2 when the input cannot be read, 3 when it was not checked."""
import argparse, hashlib, json, pathlib, re, struct, sys

try:
    from py_ecc.bls.g2_primitives import subgroup_check
    from py_ecc.bls.hash_to_curve import hash_to_G1
    from py_ecc.bls.point_compression import decompress_G1, decompress_G2
    from py_ecc.optimized_bls12_381 import G2, is_inf, pairing
    CAN_VERIFY = True
except ImportError: CAN_VERIFY = False

NOT_CHECKED = "the beacon's signature was not checked: py_ecc is not installed (pip install py_ecc==8.0.0)"
SCHEME, TAG = "bls-unchained-g1-rfc9380", b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
QUICKNET = {  # pinned, so that neither a server nor a proof can name another key
    "chainHash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "publicKey": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
                 "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    "genesisTime": 1692803367, "period": 3, "scheme": SCHEME, "beaconId": "quicknet",
    "groupHash": "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"}

def sha256(data): return hashlib.sha256(data).digest()

def from_hex(text, size):  # exactly so many bytes in lower-case digits
    if not isinstance(text, str) or not re.fullmatch(f"[0-9a-f]{{{2 * size}}}", text): raise ValueError(f"not {2 * size} lower-case hexadecimal digits")
    return bytes.fromhex(text)

def chain_hash(chain):
    start = struct.pack(">Iq", chain["period"], chain["genesisTime"])
    return sha256(start + from_hex(chain["publicKey"], 96) + from_hex(chain["groupHash"], 32) + chain["beaconId"].encode()).hex()

def time_of(chain, number): return chain["genesisTime"] + (number - 1) * chain["period"]

def first_round_at_or_after(chain, seconds):  # whole seconds since 1970
    return max(0, -((chain["genesisTime"] - seconds) // chain["period"])) + 1

def randomness(signature): return sha256(from_hex(signature, 48)).hex()

def verify(public_key, number, signature):
    """Whether the key signed this round with this signature; None when that cannot be checked here."""
    try: key, point = from_hex(public_key, 96), from_hex(signature, 48)
    except ValueError: return False
    if not CAN_VERIFY: return None
    try:
        key = decompress_G2((int.from_bytes(key[:48], "big"), int.from_bytes(key[48:], "big")))
        point = decompress_G1(int.from_bytes(point, "big"))
    except ValueError: return False
    # A point outside the subgroup, or at infinity, could pass the equation of pairings.
    if any(is_inf(each) or not subgroup_check(each) for each in (key, point)): return False
    message = hash_to_G1(sha256(struct.pack(">Q", number)), TAG, hashlib.sha256)
    return pairing(key, message) == pairing(G2, point)

def read_chain(path):
    chain = json.loads(pathlib.Path(path).read_text())
    if chain["scheme"] != SCHEME: raise ValueError(f"the scheme is not {SCHEME}")
    if chain_hash(chain) != chain["chainHash"]: raise ValueError("chainHash is not the hash of the other values")
    return chain

def main():
    parser = argparse.ArgumentParser(description="Verifies a round of a drand beacon.")
    parser.add_argument("round", type=int)
    parser.add_argument("signature")
    parser.add_argument("--chain", metavar="FILE", help="a chain file; without it, quicknet")
    arguments = parser.parse_args()
    try:
        chain = read_chain(arguments.chain) if arguments.chain else QUICKNET
        value = randomness(arguments.signature)
        if not 1 <= arguments.round < 2 ** 53: raise ValueError("there is no such round")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        print(f"cannot be read: {error}", file=sys.stderr)
        return 2
    is_valid = verify(chain["publicKey"], arguments.round, arguments.signature)
    if is_valid is None: print(NOT_CHECKED)
    elif is_valid: print(f"ok: round {arguments.round} of {chain['beaconId']}, randomness {value}")
    else: print(f"FAILED: this is not the signature of round {arguments.round} of {chain['beaconId']}")
    return {True: 0, False: 1, None: 3}[is_valid]

if __name__ == "__main__": sys.exit(main())
