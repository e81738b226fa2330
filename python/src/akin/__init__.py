"""akin from Python: datasets without duplicates, similar texts and their passages, features, and a client of the server.

All but the client run the program `akin`: the one that the environment variable AKIN names, else the one on the path.
"""

from .compare import Comparison, Passage, align, compare
from .datasets import dedup
from .features import Features, features
from .program import ProgramError
from .rest import ApiError, AsyncClient, Client
from .similar import Pair, Pairs, similar
from .story import Reprint, Story, story

__all__ = [
    "ApiError",
    "AsyncClient",
    "Client",
    "Comparison",
    "Features",
    "Pair",
    "Pairs",
    "Passage",
    "ProgramError",
    "Reprint",
    "Story",
    "align",
    "compare",
    "dedup",
    "features",
    "similar",
    "story",
]
