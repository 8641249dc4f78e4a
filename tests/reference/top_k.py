"""Definition of the ranking: score descending, id ascending."""


def top_k(scores, ids, k):
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], ids[i]))
    return order[:k]
