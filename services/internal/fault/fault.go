// Package fault is the one error type whose reader is a caller of the API: it says which rule was
// broken, where, and with which values. It knows nothing of gRPC or HTTP; the table from reasons to
// statuses is at the edge, in package serve.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"time"
)

// Reason is a stable, documented name for why a call failed. The values are those of
// flipside.rules.v1.ErrorReason without their prefix.
type Reason string

// The reasons, in the order in which a call is checked.
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
	NotYourTurn         Reason = "NOT_YOUR_TURN"
	MustPlace           Reason = "MUST_PLACE"
	CardNotInHand       Reason = "CARD_NOT_IN_HAND"
	Hole                Reason = "HOLE"
	CellTaken           Reason = "CELL_TAKEN"
	FlipsNothing        Reason = "FLIPS_NOTHING"
	RateLimited         Reason = "RATE_LIMITED"
	TooManyStreams      Reason = "TOO_MANY_STREAMS"
	BudgetExceeded      Reason = "BUDGET_EXCEEDED"
	StoreContended      Reason = "STORE_CONTENDED"
	StoreUnavailable    Reason = "STORE_UNAVAILABLE"
	StrategyUnavailable Reason = "STRATEGY_UNAVAILABLE"

	// What only REST can get wrong.
	UnknownPath          Reason = "UNKNOWN_PATH"
	MethodNotAllowed     Reason = "METHOD_NOT_ALLOWED"
	UnsupportedMediaType Reason = "UNSUPPORTED_MEDIA_TYPE"
)

// Error tells a caller why a call was refused. Message is for people; everything variable in it is
// also in Meta, for programs.
type Error struct {
	Reason  Reason
	Message string
	// Field is the path of the request field at fault, such as "setup.reversi.hexagon.rings"; empty
	// when no single field is.
	Field string
	Meta  map[string]string
	// RetryAfter tells when the same call may succeed; zero when it says nothing about that.
	RetryAfter time.Duration
}

// New returns an error with a formatted message.
func New(reason Reason, format string, args ...any) *Error {
	return &Error{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

// Error returns the message alone, since the reason travels beside it.
func (e *Error) Error() string { return e.Message }

// With returns a copy that also carries a value for programs.
func (e *Error) With(key string, value any) *Error {
	c := *e
	c.Meta = maps.Clone(e.Meta)
	if c.Meta == nil {
		c.Meta = map[string]string{}
	}
	c.Meta[key] = fmt.Sprint(value)
	return &c
}

// At returns a copy that names the field at fault. Called again by an outer layer, it puts the outer
// field in front: At("rings").At("hexagon") is "hexagon.rings".
func (e *Error) At(field string) *Error {
	c := *e
	if c.Field != "" {
		field += "." + c.Field
	}
	c.Field = field
	return &c
}

// At puts a field in front of the one that err names, if err is an Error; any other err is returned as it is.
func At(err error, field string) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.At(field)
	}
	return err
}

// RetryIn returns a copy that says when to try again.
func (e *Error) RetryIn(d time.Duration) *Error {
	c := *e
	c.RetryAfter = d
	return &c
}

// ReasonOf returns the reason of the first Error in err's chain, or "" if there is none.
func ReasonOf(err error) Reason {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	return ""
}
