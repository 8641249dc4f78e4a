"""Definition of sums over sketches: 64 rows of four bits a group, looked up in a table of 16."""


def nibble(tile, group, row):
    pair = tile[32 * group + row % 32]
    return pair % 16 if row < 32 else pair // 16


def sums(table, tile):
    groups = range(len(table) // 16)
    return [sum(table[16 * g + nibble(tile, g, row)] for g in groups) for row in range(64)]
