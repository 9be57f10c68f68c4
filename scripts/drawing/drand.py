"""Verifies rounds of a drand beacon for verify_drawing.py, if py_ecc is installed (pip install py_ecc==8.0.0)."""
import hashlib, json, pathlib, re, struct

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
    """A chain file. Its hash names the chain, so a file with another key or other times is not that of the chain."""
    try:
        chain = json.loads(pathlib.Path(path).read_text())
        if chain["scheme"] != SCHEME: raise ValueError(f"the scheme of the chain is not {SCHEME}")
        if chain_hash(chain) != chain["chainHash"]: raise ValueError("chainHash is not the hash of the chain's other values")
    except (KeyError, TypeError, AttributeError, struct.error): raise ValueError("the chain file cannot be read") from None
    return chain
