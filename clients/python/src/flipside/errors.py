"""The errors of calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KEY_REVOKED = "KEY_REVOKED"
"""The reason of the error that ends a stream whose key was revoked."""


@dataclass(frozen=True)
class FieldViolation:
    """A fault of one field of a request."""

    field: str
    """Path of the field, for example ``seats[1].robot.strategy``."""
    description: str


class Error(Exception):
    """A failed call. Its text is a sentence for people."""

    def __init__(
        self,
        message: str,
        *,
        reason: str = "UNKNOWN",
        status: int = 0,
        metadata: Mapping[str, str] | None = None,
        violations: tuple[FieldViolation, ...] = (),
        retry_after: float = 0,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        """
        The reason of the API, such as ``NOT_YOUR_TURN``; ``UNREACHABLE`` without a response;
        ``KEY_REVOKED`` for a stream whose key was revoked; ``UNKNOWN`` for a response that is not
        from Flipside.
        """
        self.status = status
        """The HTTP status, 0 without a response."""
        self.metadata = dict(metadata or {})
        """Variable parts of the message, such as ``currentVersion``."""
        self.violations = violations
        """The faults of fields of the request."""
        self.retry_after = retry_after
        """
        Seconds to wait before a retry, 0 if the server named none. The server names none for a
        limit that time does not lift.
        """

    @property
    def temporary(self) -> bool:
        """
        Whether the same call may succeed later: the server or the network is unavailable, a rate
        limit was exceeded, or the change lost to concurrent writes.
        """
        limited = self.status == 429 and self.retry_after > 0
        later = self.status in (0, 502, 503, 504) or limited
        return later or self.reason in ("STORE_CONTENDED", "TOO_MANY_STREAMS")

    @property
    def not_sent(self) -> bool:
        """Whether the call certainly changed nothing, although it can succeed later."""
        certain = self.metadata.get("sent") == "false" or self.status == 429
        return certain or self.reason == "STORE_CONTENDED"


def unreachable(cause: Exception | str, *, sent: bool = True) -> Error:
    """Return the error of a request that got no response."""
    detail = str(cause) or type(cause).__name__
    metadata = {} if sent else {"sent": "false"}
    return Error(f"the server cannot be reached: {detail}", reason="UNREACHABLE", metadata=metadata)


def key_revoked() -> Error:
    """Return the error of a stream whose key was revoked while it was open."""
    return Error("the key is no longer valid", reason=KEY_REVOKED, status=401)


def from_response(status: int, headers: Mapping[str, str], body: bytes) -> Error:
    """Return the error of a response whose HTTP status is not 2xx."""
    try:
        content = json.loads(body)
    except ValueError:
        content = None
    retry_after = headers.get("Retry-After", "")
    seconds = float(retry_after) if retry_after.isdigit() else 0.0
    return from_status(content if isinstance(content, dict) else {}, status, seconds)


STATUSES = {
    1: 499,
    3: 400,
    4: 504,
    5: 404,
    6: 409,
    7: 403,
    8: 429,
    9: 400,
    10: 409,
    11: 400,
    12: 501,
    14: 503,
    16: 401,
}
"""The HTTP statuses of gRPC codes."""


def from_line(body: Mapping[str, Any]) -> Error:
    """Return the error that ended a stream. The status of its response was sent before."""
    return from_status(body, STATUSES.get(body.get("code", 0), 500))


def from_status(body: Mapping[str, Any], status: int, retry_after: float = 0) -> Error:
    """Return the error that a ``google.rpc.Status`` describes."""
    details = [detail for detail in body.get("details", ()) if isinstance(detail, dict)]
    info = next((detail for detail in details if "reason" in detail), {})
    delay = next((detail["retryDelay"] for detail in details if "retryDelay" in detail), None)
    if "reason" in info:
        retry_after = 0  # A response without a reason is from a proxy.
    return Error(
        body.get("message") or f"the server answered with status {status}",
        reason=info.get("reason", "UNKNOWN"),
        status=status,
        metadata=info.get("metadata"),
        violations=tuple(
            FieldViolation(fault.get("field", ""), fault.get("description", ""))
            for detail in details
            for fault in detail.get("fieldViolations", ())
        ),
        retry_after=retry_after if delay is None else float(delay.rstrip("s")),
    )
