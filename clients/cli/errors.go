package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Exit codes; a refusal by a server is exitStatus plus its gRPC code.
const (
	exitOther  = 1
	exitUsage  = 2
	exitStatus = 64
)

// usageError says that the command line is wrong.
type usageError struct {
	message string
	command string // whose help to point at; filled in by do
}

func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

func (e *usageError) Error() string { return e.message }

// callError says which service a call failed at. It is what status.FromError finds inside.
type callError struct {
	at  service
	err error
}

func (e *callError) Error() string              { return e.err.Error() }
func (e *callError) Unwrap() error              { return e.err }
func (e *callError) GRPCStatus() *status.Status { return status.Convert(e.err) }

// report tells the user about an error, in one line, and returns the exit code.
func (p *program) report(ctx context.Context, err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		p.note("flipside: %s (see: %s --help)", usage.message, usage.command)
		return exitUsage
	case ctx.Err() != nil:
		p.note("flipside: interrupted")
		return exitOther
	}
	p.note("flipside: %s", explain(err))
	if refusal, ok := asStatus(err); ok {
		return exitStatus + int(refusal.Code())
	}
	return exitOther
}

// note writes one line to the user, beside the data.
func (p *program) note(format string, args ...any) {
	fmt.Fprintf(p.Err, format+"\n", args...)
}

// explain puts an error in one line: what happened, the reason in brackets, and what to do about it.
func explain(err error) string {
	what, hint := tell(err), ""
	if refusal, ok := asStatus(err); ok {
		hint = hintFor(reasonOf(refusal))
	}
	if wait := retryDelay(err); wait > 0 {
		hint = fmt.Sprintf("try again in %v", wait.Round(time.Millisecond))
	}
	if call, ok := unreachable(err); ok {
		hint = fmt.Sprintf("is flipsided running at %s? ask: flipside doctor", call.at.address)
	}
	if hint == "" {
		return what
	}
	return what + "; " + hint
}

// tell puts an error in one line: what happened, and the reason in brackets.
func tell(err error) string {
	refusal, ok := asStatus(err)
	if !ok {
		return oneLine(err.Error())
	}
	message, reason := oneLine(refusal.Message()), reasonOf(refusal)
	if field := fieldOf(refusal); reason != "INVALID_FIELD" {
		message = strings.TrimPrefix(message, field+": ") // a flag or argument has another name
	} else if !strings.Contains(message, field) {
		message = field + ": " + message
	}
	if call, ok := unreachable(err); ok {
		message = fmt.Sprintf("cannot reach the %s service at %s: %s", call.at.name, call.at.address, causeOf(message))
	}
	return fmt.Sprintf("%s [%s]", message, reason)
}

// asStatus finds the refusal of a server in an error.
func asStatus(err error) (*status.Status, bool) {
	var carrier interface{ GRPCStatus() *status.Status }
	if !errors.As(err, &carrier) {
		return nil, false
	}
	return carrier.GRPCStatus(), true
}

// reasonOf returns the reason a server gave or, where there is none, the name of the code.
func reasonOf(refusal *status.Status) string {
	if info := detail[*errdetails.ErrorInfo](refusal); info != nil {
		return info.GetReason()
	}
	var name strings.Builder
	for i, letter := range refusal.Code().String() {
		if i > 0 && unicode.IsUpper(letter) && refusal.Code() != codes.OK {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToUpper(letter))
	}
	return name.String()
}

// fieldOf returns the request field that is at fault, "" for none.
func fieldOf(refusal *status.Status) string {
	for _, violation := range detail[*errdetails.BadRequest](refusal).GetFieldViolations() {
		return violation.GetField()
	}
	return ""
}

// retryDelay returns how long a server asked to wait, 0 if it did not.
func retryDelay(err error) time.Duration {
	refusal, ok := asStatus(err)
	if !ok {
		return 0
	}
	return detail[*errdetails.RetryInfo](refusal).GetRetryDelay().AsDuration()
}

func detail[T any](refusal *status.Status) T {
	var none T
	for _, each := range refusal.Details() {
		if found, ok := each.(T); ok {
			return found
		}
	}
	return none
}

// unreachable finds the call of a service that is not there. One that says UNAVAILABLE itself gives a reason.
func unreachable(err error) (*callError, bool) {
	call, ok := errors.AsType[*callError](err)
	if !ok || status.Code(call.err) != codes.Unavailable {
		return nil, false
	}
	return call, detail[*errdetails.ErrorInfo](status.Convert(call.err)) == nil
}

// causeOf returns the end of the chain of layers through which a failed connection is told.
func causeOf(message string) string {
	parts := strings.Split(message, ": ")
	return strings.Trim(parts[len(parts)-1], `"`)
}

// hintFor says what to do about a refusal, where its own message cannot know it.
func hintFor(reason string) string {
	switch reason {
	case "INVALID_KEY":
		return "the key is not one of this server's; make another with: flipside player new --save"
	case keyRevoked:
		return "if it was rotated elsewhere, give the new one with --key"
	case "UNIMPLEMENTED":
		return "this is not a server of this version, or not this service; ask: flipside doctor"
	case "STORE_CONTENDED", "STORE_UNAVAILABLE", "STRATEGY_UNAVAILABLE":
		return "nothing changed; try again later"
	}
	return ""
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
