"""SHA-256 in pure Python."""

import struct
import sys

BENCH = {"size": 680, "small": 5}

K = []
H0 = []


def make_constants():
    primes = []
    n = 2
    while len(primes) < 64:
        if all(n % p for p in primes):
            primes.append(n)
        n += 1
    for p in primes:
        K.append(int((p ** (1 / 3) % 1) * 2 ** 32))
    for p in primes[:8]:
        H0.append(int((p ** 0.5 % 1) * 2 ** 32))


make_constants()


def rotr(x, n):
    return ((x >> n) | (x << (32 - n))) & 0xFFFFFFFF


def compress(state, block):
    w = list(struct.unpack(">16L", block))
    for i in range(16, 64):
        s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >> 3)
        s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >> 10)
        w.append((w[i - 16] + s0 + w[i - 7] + s1) & 0xFFFFFFFF)
    a, b, c, d, e, f, g, h = state
    for i in range(64):
        s1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)
        ch = (e & f) ^ (~e & g)
        t1 = (h + s1 + ch + K[i] + w[i]) & 0xFFFFFFFF
        s0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)
        maj = (a & b) ^ (a & c) ^ (b & c)
        t2 = (s0 + maj) & 0xFFFFFFFF
        h, g, f, e, d, c, b, a = g, f, e, (d + t1) & 0xFFFFFFFF, c, b, a, (t1 + t2) & 0xFFFFFFFF
    return [(x + y) & 0xFFFFFFFF for x, y in zip(state, (a, b, c, d, e, f, g, h))]


def sha256(message):
    length = len(message) * 8
    message += b"\x80"
    message += b"\x00" * ((56 - len(message)) % 64)
    message += struct.pack(">Q", length)
    state = list(H0)
    for i in range(0, len(message), 64):
        state = compress(state, message[i:i + 64])
    return "".join(f"{x:08x}" for x in state)


def run(size):
    assert sha256(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    digest = "start"
    for i in range(size):
        digest = sha256((digest * (i % 5 + 1)).encode())
    return digest, sha256(b"a" * (size * 32))


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
