# Generated from _async/transport.py by `make generate`. Do not edit.
from __future__ import annotations

import time
import json
import logging
from collections.abc import Generator, Callable
from contextlib import closing
from typing import Any

import httpx

from .._call import DEFAULT_SILENCE, FINAL_END, REVOKED_END, Call, Lines, Retries, backoff
from ..errors import KEY_REVOKED, Error, from_line, from_response, key_revoked, unreachable

log = logging.getLogger("flipside")


class Transport:
    """Sends HTTP calls, repeats those that may be repeated, and resumes streams."""

    def __init__(
        self,
        base_url: str,
        headers: dict[str, str],
        timeout: float,
        retry_for: float,
        http: httpx.Client | None,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"base_url {base_url!r} must start with http:// or https://")
        self.headers = headers
        self._base_url = base_url.rstrip("/")
        self._timeout = timeout
        self._retry_for = retry_for
        self._silence = DEFAULT_SILENCE
        # Every open stream needs a connection of its own.
        limits = httpx.Limits(max_connections=None)
        self._http = http or httpx.Client(limits=limits)

    def close(self) -> None:
        self._http.close()

    def call(self, call: Call) -> Any:
        """Return the JSON response of a call."""
        retries = Retries(self._retry_for)
        while True:
            try:
                return self._once(call)
            except Error as error:
                time.sleep(retries.delay(call, error))

    def _once(self, call: Call) -> Any:
        request = self._request(call, "application/json", self._timeout)
        try:
            response = self._http.send(request)
        except httpx.TransportError as cause:
            raise failure(cause) from cause
        if not response.is_success:
            raise from_response(response.status_code, response.headers, response.content)
        try:
            return response.json()
        except ValueError as cause:
            message = f"the response of {self._base_url} is not JSON: is this a Flipside server?"
            raise Error(message, status=response.status_code) from cause

    def resume(self, next_call: Callable[[], Call]) -> Generator[Any, None, None]:
        """
        Yield the messages of a stream, without heartbeats. After a cut, a silent connection or a
        restart of the server, it opens the call that ``next_call`` returns. It ends with the game,
        and raises an Error that a retry cannot repair, such as KEY_REVOKED.
        """
        failures = 0
        while True:
            silence, key = self._silence, self.headers.get("Authorization")
            error = unreachable("the stream was cut")
            try:
                with closing(self.messages(next_call(), silence)) as messages:
                    for message in messages:
                        failures = 0
                        interval = message.get("heartbeatInterval")
                        if interval:
                            self._silence = 2.5 * float(interval.rstrip("s"))
                        if "heartbeat" not in message:
                            yield message
                        end = message.get("end")
                        if end and end["reason"] == FINAL_END:
                            return
                        if end and end["reason"] == REVOKED_END:
                            error = key_revoked()
                        if silence != self._silence:
                            break
            except Error as cause:
                if not cause.temporary:
                    raise
                error = cause
            if silence != self._silence:
                continue  # httpx fixes the read timeout of a response when it opens.
            failures += 1
            delay = backoff(failures, error.retry_after)
            log.info("stream interrupted, reconnect in %.1f s: %s", delay, error)
            time.sleep(delay)
            # A client that has replaced its own key resumes with the new one.
            if error.reason == KEY_REVOKED and self.headers.get("Authorization") == key:
                raise error

    def messages(self, call: Call, silence: float | None = None) -> Generator[Any, None, None]:
        """
        Yield the messages of one streaming call. It raises an Error when the stream breaks, ends
        with an error, or is silent for longer than ``silence`` seconds.
        """
        request = self._request(call, "application/x-ndjson", silence)
        try:
            response = self._http.send(request, stream=True)
            try:
                if not response.is_success:
                    body = response.read()
                    raise from_response(response.status_code, response.headers, body)
                lines = Lines()
                for chunk in response.iter_bytes():
                    for line in lines.feed(chunk):
                        message = json.loads(line)
                        if "error" in message:
                            raise from_line(message["error"])
                        yield message["result"]
            finally:
                response.close()
        except httpx.TransportError as cause:
            raise failure(cause) from cause

    def _request(self, call: Call, accept: str, read: float | None) -> httpx.Request:
        return self._http.build_request(
            call.method,
            self._base_url + call.path,
            params=call.parameters(),
            json=call.body,
            headers={**self.headers, "Accept": accept},
            timeout=httpx.Timeout(self._timeout, read=read),
        )


def failure(cause: httpx.TransportError) -> Error:
    """Return the error of a request that got no response or only a part of it."""
    return unreachable(
        cause, sent=not isinstance(cause, (httpx.ConnectError, httpx.ConnectTimeout))
    )
