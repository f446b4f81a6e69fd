"""Changes generated requests where JSON Schema cannot express the difference between valid and invalid."""

import re

import schemathesis

HEADERS = ["Flipside-On-Behalf-Of"]  # The key of the run is not a service key.
QUERY = [
    "pageToken",  # Only a response has valid ones.
    "wait",  # Long polling lasts as long as the caller lets it.
]
BODY = ["visibility"]  # A private game has no open seats.
SETUP = [
    "startFrom", "grid", "deck",  # Texts with a grammar of their own.
    "rules",  # Some exclude each other.
]
# The server of the run has no provider, and a strategy plays some games only.
ROBOT = {"strategy": {"level": "LEVEL_EASY"}}


@schemathesis.hook
def filter_case(context, case):
    # A timeout of less than a second may rightly end with 504.
    short = re.fullmatch("[0-9]{1,8}[mun]", str(case.headers.get("Grpc-Timeout")))
    # An empty header stands for none.
    return not short and case.headers.get("Idempotency-Key") != ""


@schemathesis.hook
def before_call(context, case, kwargs):
    if not case.meta.generation.mode.is_positive:
        return
    without(case.headers, HEADERS)
    without(case.query, QUERY)
    if not isinstance(case.body, dict):
        return
    if "requestId" in case.body:
        without(case.headers, ["Idempotency-Key"])  # It must not differ from the body.
    without(case.body, BODY)
    for game in case.body.get("setup", {}).values():
        without(game, SETUP)
    absence = case.body.get("timeControl", {}).get("onAbsence", {})
    for holder in [*case.body.get("seats", []), absence]:
        if "robot" in holder:
            holder["robot"] = ROBOT


def without(values, names):
    for name in names:
        if values:
            values.pop(name, None)
