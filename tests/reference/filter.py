"""Definition of the filters: bit i of word t tells about row 64 t + i."""


def words(column, passes):
    bits = [int(passes(value)) for value in column]
    return [sum(b << i for i, b in enumerate(bits[t : t + 64])) for t in range(0, len(bits), 64)]


def codes(column, allowed):
    return words(column, lambda c: allowed >> c & 1)


def at_least(column, least):
    return words(column, lambda c: c >= least)


def bits(column, mask, value):
    return words(column, lambda c: c & mask == value)


def window(column, from_us, to_us):
    return words(column, lambda c: from_us <= c < to_us)


def among(column, members):
    return words(column, lambda c: c in members)


def folded(column, map, most):
    return words(column, lambda c: c <= most and map[c // 32 % len(map)] >> c % 32 & 1)
