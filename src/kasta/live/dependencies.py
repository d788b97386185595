"""What handlers may ask for by the name of a parameter."""

from __future__ import annotations

from typing import Annotated

from litestar.di import NamedDependency
from litestar.params import PathParameter

from kasta.coach.process import Coach
from kasta.edge.identity import Signer
from kasta.live.channel import Channels
from kasta.live.joining import Joining
from kasta.live.signals import Signals
from kasta.results.reviews import Reviews
from kasta.results.store import Results
from kasta.sql import Database
from kasta.tables.opening import DiceSources
from kasta.tables.service import Service

TheService = NamedDependency[Service]
TheJoining = NamedDependency[Joining]
TheChannels = NamedDependency[Channels]
TheSignals = NamedDependency[Signals]
TheSigner = NamedDependency[Signer]
TheCoach = NamedDependency[Coach]
TheResults = NamedDependency[Results]
TheReviews = NamedDependency[Reviews]
TheDice = NamedDependency[DiceSources]
TheDatabase = NamedDependency[Database]
TableId = Annotated[
    str, PathParameter(description="The id of a table.", max_length=64, pattern=r"^[A-Za-z0-9_-]+$")
]
