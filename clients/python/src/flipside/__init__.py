"""Client of the Flipside game server. Start with Client, or AsyncClient for asyncio."""

from pkgutil import extend_path

# Code generated from the protos of Flipside is in packages below this one.
__path__ = extend_path(__path__, __name__)

from . import schema
from ._async.bot import AsyncBot, AsyncChoose
from ._async.client import AsyncClient
from ._sync.bot import Bot, Choose
from ._sync.client import Client
from .errors import Error, FieldViolation

__all__ = [
    "AsyncBot",
    "AsyncChoose",
    "AsyncClient",
    "Bot",
    "Choose",
    "Client",
    "Error",
    "FieldViolation",
    "schema",
]
