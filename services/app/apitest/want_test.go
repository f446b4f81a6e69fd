package apitest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
)

// want is the expected result of a call: an error, or success.
type want struct {
	code   codes.Code
	http   int
	reason string
	field  string            // in the BadRequest detail; "" for no such detail
	meta   map[string]string // a part of the metadata
	// part is a part of the JSON of the answer: some fields of objects, and for arrays, a part of
	// every element.
	part string
}

// ok is success.
var ok = want{code: codes.OK, http: 200}

// The errors: gRPC code, HTTP status and reason.
var (
	invalidField     = want{code: codes.InvalidArgument, http: 400, reason: "INVALID_FIELD"}
	unknownField     = want{code: codes.InvalidArgument, http: 400, reason: "UNKNOWN_FIELD"}
	offBoard         = want{code: codes.InvalidArgument, http: 400, reason: "OFF_BOARD"}
	invalidGrid      = want{code: codes.InvalidArgument, http: 400, reason: "INVALID_GRID"}
	invalidDeck      = want{code: codes.InvalidArgument, http: 400, reason: "INVALID_DECK"}
	invalidNotation  = want{code: codes.InvalidArgument, http: 400, reason: "INVALID_NOTATION"}
	conflictingRules = want{code: codes.InvalidArgument, http: 400, reason: "CONFLICTING_RULES"}
	bodyTooLarge     = want{code: codes.InvalidArgument, http: 413, reason: "BODY_TOO_LARGE"}
	unsupportedMedia = want{code: codes.InvalidArgument, http: 415, reason: "UNSUPPORTED_MEDIA_TYPE"}

	invalidKey       = want{code: codes.Unauthenticated, http: 401, reason: "INVALID_KEY"}
	notYourSeat      = want{code: codes.PermissionDenied, http: 403, reason: "NOT_YOUR_SEAT"}
	gameNotFound     = want{code: codes.NotFound, http: 404, reason: "GAME_NOT_FOUND"}
	playerNotFound   = want{code: codes.NotFound, http: 404, reason: "PLAYER_NOT_FOUND"}
	unknownPath      = want{code: codes.NotFound, http: 404, reason: "UNKNOWN_PATH"}
	methodNotAllowed = want{code: codes.Unimplemented, http: 405, reason: "METHOD_NOT_ALLOWED"}

	notAway        = want{code: codes.FailedPrecondition, http: 400, reason: "NOT_AWAY"}
	notYourTurn    = want{code: codes.FailedPrecondition, http: 400, reason: "NOT_YOUR_TURN"}
	cellTaken      = want{code: codes.FailedPrecondition, http: 400, reason: "CELL_TAKEN"}
	hole           = want{code: codes.FailedPrecondition, http: 400, reason: "HOLE"}
	flipsNothing   = want{code: codes.FailedPrecondition, http: 400, reason: "FLIPS_NOTHING"}
	mustPlace      = want{code: codes.FailedPrecondition, http: 400, reason: "MUST_PLACE"}
	cardNotInHand  = want{code: codes.FailedPrecondition, http: 400, reason: "CARD_NOT_IN_HAND"}
	gameNotStarted = want{code: codes.FailedPrecondition, http: 400, reason: "GAME_NOT_STARTED"}
	gameStarted    = want{code: codes.FailedPrecondition, http: 400, reason: "GAME_STARTED"}
	gameOver       = want{code: codes.FailedPrecondition, http: 400, reason: "GAME_OVER"}
	seatTaken      = want{code: codes.FailedPrecondition, http: 400, reason: "SEAT_TAKEN"}
	noSuchOffer    = want{code: codes.FailedPrecondition, http: 400, reason: "NO_SUCH_OFFER"}
	offerDeclined  = want{code: codes.FailedPrecondition, http: 400, reason: "OFFER_DECLINED"}
	nothingToTake  = want{code: codes.FailedPrecondition, http: 400, reason: "NOTHING_TO_TAKE_BACK"}
	gameNotOver    = want{code: codes.FailedPrecondition, http: 400, reason: "GAME_NOT_OVER"}

	tooManyChanges     = want{code: codes.FailedPrecondition, http: 400, reason: "TOO_MANY_CHANGES"}
	tooManyInvitations = want{code: codes.ResourceExhausted, http: 429, reason: "TOO_MANY_INVITATIONS"}

	versionMismatch = want{code: codes.Aborted, http: 409, reason: "VERSION_MISMATCH"}
	requestIDReused = want{code: codes.AlreadyExists, http: 409, reason: "REQUEST_ID_REUSED"}

	rateLimited    = want{code: codes.ResourceExhausted, http: 429, reason: "RATE_LIMITED"}
	tooManyConns   = want{code: codes.ResourceExhausted, http: 429, reason: "TOO_MANY_CONNECTIONS"}
	tooManyStreams = want{code: codes.ResourceExhausted, http: 429, reason: "TOO_MANY_STREAMS"}
	budgetExceeded = want{code: codes.ResourceExhausted, http: 429, reason: "BUDGET_EXCEEDED"}

	deadlineExceeded = want{code: codes.DeadlineExceeded, http: 504, reason: "DEADLINE_EXCEEDED"}
	unimplemented    = want{code: codes.Unimplemented, http: 501, reason: "UNIMPLEMENTED"}

	storeContended      = want{code: codes.Aborted, http: 409, reason: "STORE_CONTENDED"}
	storeUnavailable    = want{code: codes.Unavailable, http: 503, reason: "STORE_UNAVAILABLE"}
	gameUnavailable     = want{code: codes.Unavailable, http: 503, reason: "GAME_UNAVAILABLE"}
	issuerUnavailable   = want{code: codes.Unavailable, http: 503, reason: "ISSUER_UNAVAILABLE"}
	strategyUnavailable = want{code: codes.Unavailable, http: 503, reason: "STRATEGY_UNAVAILABLE"}
)

// at adds the field of an error.
func (w want) at(field string) want {
	w.field = field
	return w
}

// with adds a value of the metadata.
func (w want) with(key, value string) want {
	w.meta = maps.Clone(w.meta)
	if w.meta == nil {
		w.meta = map[string]string{}
	}
	w.meta[key] = value
	return w
}

// holding adds a part of the answer.
func (w want) holding(part string) want {
	w.part = part
	return w
}

// check checks the result of a call.
func (w want) check(t *testing.T, got *answer) {
	t.Helper()
	info, request := &errdetails.ErrorInfo{}, &errdetails.BadRequest{}
	for _, detail := range got.status.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			info = detail
		case *errdetails.BadRequest:
			request = detail
		}
	}
	if got.status.Code() != w.code || info.GetReason() != w.reason || got.http != 0 && got.http != w.http {
		t.Fatalf("got %s %d %s (%s), want %s %d %s", got.status.Code(), got.http, info.GetReason(), got.status.Message(),
			w.code, w.http, w.reason)
	}
	if w.code == codes.OK {
		if w.part != "" {
			checkPart(t, got, w.part)
		}
		return
	}
	w.checkRetry(t, got)
	if info.GetDomain() != "flipside" {
		t.Errorf("the domain is %q, want flipside", info.GetDomain())
	}
	for key, value := range w.meta {
		if info.GetMetadata()[key] != value {
			t.Errorf("metadata %s is %q, want %q", key, info.GetMetadata()[key], value)
		}
	}
	var fields []string
	for _, violation := range request.GetFieldViolations() {
		fields = append(fields, violation.GetField())
	}
	if got := strings.Join(fields, " "); got != w.field {
		t.Errorf("the fields of the error are %q, want %q", got, w.field)
	}
	checkText(t, got.status.Message(), w.field)
}

// checkRetry checks the header of authentication errors, and the retry delay of temporary errors.
func (w want) checkRetry(t *testing.T, got *answer) {
	t.Helper()
	if w.http == 401 && got.http != 0 && !strings.HasPrefix(got.header.Get("WWW-Authenticate"), `Bearer realm="flipside"`) {
		t.Errorf("WWW-Authenticate is %q", got.header.Get("WWW-Authenticate"))
	}
	if w.http != 429 && w.http != 503 {
		return
	}
	hasDelay := slices.ContainsFunc(got.status.Details(), func(detail any) bool { _, ok := detail.(*errdetails.RetryInfo); return ok })
	if !hasDelay && w.reason != budgetExceeded.reason {
		t.Error("the error has no RetryInfo")
	}
	seconds, err := strconv.Atoi(got.header.Get("Retry-After"))
	if sent := err == nil && seconds >= 1; got.http != 0 && sent != hasDelay {
		t.Errorf("Retry-After is %q, the error has a RetryInfo: %t", got.header.Get("Retry-After"), hasDelay)
	}
}

// checkText checks the style of an error text.
func checkText(t *testing.T, text, field string) {
	t.Helper()
	switch {
	case text == "" || strings.HasSuffix(text, ".") || len(text) > 300:
		t.Errorf("the message is not one short sentence without a full stop: %q", text)
	case field != "" && !strings.HasPrefix(text, field+": "):
		t.Errorf("the message does not begin with the field: %q", text)
	}
	for _, inner := range []string{"%!", "proto", "sql", "rpc error", "runtime", "strconv", "goroutine", "oneof", "0x"} {
		if slices.Contains(strings.Fields(strings.ToLower(text)), inner) || strings.Contains(text, "%!") {
			t.Errorf("the message has the internal term %s: %q", inner, text)
		}
	}
}
