"""AES-128 encryption on lists of bytes, CRC-32 by table."""

import sys

BENCH = {"size": 6500, "small": 3}


def xtime(a):
    return ((a << 1) ^ 0x1B) & 0xFF if a & 0x80 else a << 1


def make_sbox():
    p = q = 1
    sbox = [0] * 256
    while True:
        p = p ^ xtime(p)
        q ^= q << 1
        q ^= q << 2
        q ^= q << 4
        q &= 0xFF
        if q & 0x80:
            q ^= 0x09
        x = q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^ (q << 4 | q >> 4)
        sbox[p] = (x ^ 0x63) & 0xFF
        if p == 1:
            break
    sbox[0] = 0x63
    return sbox


SBOX = make_sbox()


class AES:
    def __init__(self, key):
        self.round_keys = self.expand(key)

    def expand(self, key):
        words = [list(key[i:i + 4]) for i in range(0, 16, 4)]
        rcon = 1
        for i in range(4, 44):
            word = list(words[-1])
            if i % 4 == 0:
                word = [SBOX[b] for b in word[1:] + word[:1]]
                word[0] ^= rcon
                rcon = xtime(rcon)
            words.append([a ^ b for a, b in zip(words[-4], word)])
        return [sum(words[i:i + 4], []) for i in range(0, 44, 4)]

    def encrypt_block(self, block):
        state = [a ^ b for a, b in zip(block, self.round_keys[0])]
        for r in range(1, 11):
            state = [SBOX[b] for b in state]
            state = [state[(i + 4 * (i % 4)) % 16] for i in range(16)]
            if r != 10:
                for c in range(0, 16, 4):
                    state[c:c + 4] = self.mix(state[c:c + 4])
            state = [a ^ b for a, b in zip(state, self.round_keys[r])]
        return bytes(state)

    def mix(self, col):
        t = col[0] ^ col[1] ^ col[2] ^ col[3]
        return [col[i] ^ t ^ xtime(col[i] ^ col[(i + 1) % 4]) for i in range(4)]


def crc_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ 0xEDB88320 if n & 1 else n >> 1
        table.append(n)
    return table


TABLE = crc_table()


def crc32(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def run(size):
    aes = AES(bytes(range(16)))
    out = bytearray()
    block = bytes.fromhex("00112233445566778899aabbccddeeff")
    assert aes.encrypt_block(block).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"
    for _ in range(size):
        block = aes.encrypt_block(block)
        out += block
    return crc32(bytes(out) * 10), block.hex()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
