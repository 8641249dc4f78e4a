"""Definition of expiry."""


def expired(created_us, ttl_us, now_us):
    return [max(0, now_us - c) >= t for c, t in zip(created_us, ttl_us, strict=True)]
