"""What the pure half needs of msgspec: frozen structs, and JSON of them. No other module of it imports msgspec."""

from msgspec import MsgspecError, Struct, field, to_builtins
from msgspec.json import Decoder, Encoder
from msgspec.structs import replace

__all__ = ["UNREADABLE", "Decoder", "Encoder", "Struct", "field", "replace", "to_builtins"]

UNREADABLE = (MsgspecError, UnicodeDecodeError)
"""What a decoder raises."""
