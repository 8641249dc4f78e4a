"""Recall: one question in, a ranked and explained answer out."""

from scrubjay.policies.recall.answer import TERMS, Hit, Recall
from scrubjay.policies.recall.engine import RecallEngine
from scrubjay.policies.recall.relevance import RELEVANCE_FLOOR
from scrubjay.policies.recall.request import RecallRequest, Weights

__all__ = ["RELEVANCE_FLOOR", "TERMS", "Hit", "Recall", "RecallEngine", "RecallRequest", "Weights"]
