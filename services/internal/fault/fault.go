// Package fault provides the error type whose reader is a caller of the API. A fault names the rule
// that a call broke, the field and the values. Package serve maps the reasons to gRPC codes,
// package gateway to HTTP statuses.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"time"
)

// Reason is the stable name of the cause of a failed call: a value of flipside.rules.v1.ErrorReason
// without its prefix.
type Reason string

// The reasons, in the order of the checks.
const (
	InvalidField        Reason = "INVALID_FIELD"
	UnknownField        Reason = "UNKNOWN_FIELD"
	OffBoard            Reason = "OFF_BOARD"
	InvalidGrid         Reason = "INVALID_GRID"
	InvalidDeck         Reason = "INVALID_DECK"
	InvalidNotation     Reason = "INVALID_NOTATION"
	ConflictingRules    Reason = "CONFLICTING_RULES"
	BodyTooLarge        Reason = "BODY_TOO_LARGE"
	InvalidKey          Reason = "INVALID_KEY"
	GameNotFound        Reason = "GAME_NOT_FOUND"
	PlayerNotFound      Reason = "PLAYER_NOT_FOUND"
	RequestIDReused     Reason = "REQUEST_ID_REUSED"
	NotYourSeat         Reason = "NOT_YOUR_SEAT"
	VersionMismatch     Reason = "VERSION_MISMATCH"
	SeatTaken           Reason = "SEAT_TAKEN"
	GameNotStarted      Reason = "GAME_NOT_STARTED"
	GameStarted         Reason = "GAME_STARTED"
	GameOver            Reason = "GAME_OVER"
	NotAway             Reason = "NOT_AWAY"
	NoSuchOffer         Reason = "NO_SUCH_OFFER"
	OfferDeclined       Reason = "OFFER_DECLINED"
	NothingToTakeBack   Reason = "NOTHING_TO_TAKE_BACK"
	GameNotOver         Reason = "GAME_NOT_OVER"
	TooManyChanges      Reason = "TOO_MANY_CHANGES"
	TooManyInvitations  Reason = "TOO_MANY_INVITATIONS"
	NotYourTurn         Reason = "NOT_YOUR_TURN"
	MustPlace           Reason = "MUST_PLACE"
	CardNotInHand       Reason = "CARD_NOT_IN_HAND"
	Hole                Reason = "HOLE"
	CellTaken           Reason = "CELL_TAKEN"
	FlipsNothing        Reason = "FLIPS_NOTHING"
	RateLimited         Reason = "RATE_LIMITED"
	TooManyStreams      Reason = "TOO_MANY_STREAMS"
	TooManyConnections  Reason = "TOO_MANY_CONNECTIONS"
	Overloaded          Reason = "OVERLOADED"
	BudgetExceeded      Reason = "BUDGET_EXCEEDED"
	StoreContended      Reason = "STORE_CONTENDED"
	StoreUnavailable    Reason = "STORE_UNAVAILABLE"
	StrategyUnavailable Reason = "STRATEGY_UNAVAILABLE"
	IssuerUnavailable   Reason = "ISSUER_UNAVAILABLE"
	Unimplemented       Reason = "UNIMPLEMENTED"
	DeadlineExceeded    Reason = "DEADLINE_EXCEEDED"
	Cancelled           Reason = "CANCELLED"
	Internal            Reason = "INTERNAL"

	// Only the gateway returns these.
	GameUnavailable      Reason = "GAME_UNAVAILABLE"
	UnknownPath          Reason = "UNKNOWN_PATH"
	MethodNotAllowed     Reason = "METHOD_NOT_ALLOWED"
	UnsupportedMediaType Reason = "UNSUPPORTED_MEDIA_TYPE"
)

// Error is a failed call. It is immutable: the methods return changed copies.
type Error struct {
	Reason Reason
	// Message is for people. Meta has the values in it for programs.
	Message string
	// Field is the path of the invalid request field, such as "setup.reversi.hexagon.rings", or "".
	Field string
	Meta  map[string]string
	// RetryAfter is the delay after which the same call may succeed, or 0.
	RetryAfter time.Duration
}

// New returns an error with a formatted message.
func New(reason Reason, format string, args ...any) *Error {
	return &Error{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns an error with the reason INVALID_FIELD.
func Invalid(format string, args ...any) *Error { return New(InvalidField, format, args...) }

// Error returns the message without the reason.
func (e *Error) Error() string { return e.Message }

// With returns a copy with a value for programs.
func (e *Error) With(key string, value any) *Error {
	c := *e
	c.Meta = maps.Clone(e.Meta)
	if c.Meta == nil {
		c.Meta = map[string]string{}
	}
	c.Meta[key] = fmt.Sprint(value)
	return &c
}

// At returns a copy with the field in front of the path: At("rings").At("hexagon") has the path
// "hexagon.rings".
func (e *Error) At(field string) *Error {
	c := *e
	if c.Field != "" {
		field += "." + c.Field
	}
	c.Field = field
	return &c
}

// At calls [Error.At] if err is an Error. It returns any other err unchanged.
func At(err error, field string) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.At(field)
	}
	return err
}

// RetryIn returns a copy with a retry delay.
func (e *Error) RetryIn(d time.Duration) *Error {
	c := *e
	c.RetryAfter = d
	return &c
}

// ReasonOf returns the reason of the first Error in the chain of err, or "".
func ReasonOf(err error) Reason {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	return ""
}
