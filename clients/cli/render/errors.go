package render

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc/status"

	flipside "github.com/flipside-games/flipside/clients/go"
)

// InvalidKey is the reason of a call with a key that the server does not know.
const InvalidKey = "INVALID_KEY"

// CallError is the error of a call, with the service that was called. status.FromError finds the
// status inside.
type CallError struct {
	Service string // Game or Strategy
	Address string
	Err     error
	// Cause and Advice explain why no server answers; "" if that is not clear.
	Cause, Advice string
}

func (e *CallError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the call.
func (e *CallError) Unwrap() error { return e.Err }

// GRPCStatus returns the status of the call.
func (e *CallError) GRPCStatus() *status.Status { return status.Convert(e.Err) }

// Explain describes an error in one line: what happened, the reason in brackets, and what the user
// can do.
func Explain(err error) string {
	hint := ""
	if s, ok := Status(err); ok {
		hint = Hint(Reason(s))
		if NotSent(s) {
			hint = nothingChanged
		}
	}
	if wait := RetryDelay(err); wait > 0 {
		again := fmt.Sprintf("try again in %v", wait.Round(time.Millisecond))
		if before, ok := strings.CutSuffix(hint, tryAgain); ok {
			again = before + again
		}
		hint = again
	}
	if call, ok := Unreachable(err); ok {
		hint = cmp.Or(call.Advice, "start flipsided there, or check the addresses with: flipside doctor")
	}
	if hint == "" {
		return Describe(err)
	}
	return Describe(err) + "; " + hint
}

// Describe describes an error in one line: what happened, and the reason in brackets.
func Describe(err error) string {
	s, ok := Status(err)
	if !ok {
		return OneLine(err.Error())
	}
	message, reason := OneLine(s.Message()), Reason(s)
	if field := InvalidField(s); reason != "INVALID_FIELD" {
		message = strings.TrimPrefix(message, field+": ") // the flag or argument has another name
	} else if !strings.Contains(message, field) {
		message = field + ": " + message
	}
	if call, ok := Unreachable(err); ok {
		message = fmt.Sprintf("cannot reach the %s service at %s: %s",
			call.Service, call.Address, cmp.Or(call.Cause, Cause(message)))
	}
	return fmt.Sprintf("%s [%s]", message, reason)
}

// Status returns the gRPC status inside an error, and false if there is none.
func Status(err error) (*status.Status, bool) {
	var carrier interface{ GRPCStatus() *status.Status }
	if !errors.As(err, &carrier) {
		return nil, false
	}
	return carrier.GRPCStatus(), true
}

// RetryDelay returns how long the server asks to wait before a retry, 0 if it does not ask.
func RetryDelay(err error) time.Duration {
	s, ok := Status(err)
	if !ok {
		return 0
	}
	return flipside.FromStatus(s).RetryAfter
}

// Cause returns the last part of an error message that has a prefix from each layer.
func Cause(message string) string {
	parts := strings.Split(message, ": ")
	return strings.Trim(parts[len(parts)-1], `"`)
}

// NotSent reports whether a call changed nothing because the server did not send the change to its
// store.
func NotSent(s *status.Status) bool {
	return flipside.FromStatus(s).Metadata["sent"] == "false"
}

const (
	tryAgain       = "try again later"
	nothingChanged = "nothing changed; " + tryAgain
)

// Hint returns what the user can do about a reason, "" if the message is enough.
func Hint(reason string) string {
	switch reason {
	case InvalidKey:
		return "this server does not know the key; get a new one with: flipside player new --save"
	case flipside.KeyRevoked:
		return "if it was rotated elsewhere, pass the new one with --key"
	case "UNIMPLEMENTED":
		return "the server has another version or is another service; check with: flipside doctor"
	case "STORE_CONTENDED", "STRATEGY_UNAVAILABLE", "ISSUER_UNAVAILABLE":
		return nothingChanged
	case "STORE_UNAVAILABLE", "GAME_UNAVAILABLE":
		return "a change may have been saved or not; check, then " + tryAgain
	}
	return ""
}

// Reason returns the reason of a status or, if it has none, the name of its code.
func Reason(s *status.Status) string { return flipside.FromStatus(s).Reason }

// InvalidField returns the first request field that is at fault, "" if there is none.
func InvalidField(s *status.Status) string {
	for _, violation := range flipside.FromStatus(s).Violations {
		return violation.Field
	}
	return ""
}

// Unreachable returns the failed call if no server answered it. A server that answers UNAVAILABLE
// gives a reason.
func Unreachable(err error) (*CallError, bool) {
	call, ok := errors.AsType[*CallError](err)
	return call, ok && Reason(status.Convert(call.Err)) == "UNAVAILABLE"
}
