"""CRC-32C, one bit after the other."""


def crc32c(data, seed=0):
    """Divide the bytes, lowest bit first, by the polynomial of Castagnoli."""
    crc = ~seed & 0xFFFFFFFF
    for byte in bytes(data):
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return ~crc & 0xFFFFFFFF
