package flipside

import (
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// KeyRevoked is the reason of the error that ends a stream whose key was revoked.
const KeyRevoked = "KEY_REVOKED"

// Error is a failed call. status.FromError finds its status.
type Error struct {
	// Reason is the reason of the API, such as NOT_YOUR_TURN: a value of rulesv1.ErrorReason without
	// its prefix. It is [KeyRevoked] for a stream whose key was revoked, and the name of the code,
	// such as UNAVAILABLE, for an error that is not from Flipside.
	Reason string
	Code   codes.Code
	// Message is a sentence for people.
	Message string
	// Metadata has the variable parts of the message, such as currentVersion.
	Metadata map[string]string
	// Violations are the faults of fields of the request.
	Violations []FieldViolation
	// RetryAfter is the delay before a retry that the server asks for, 0 if it does not ask.
	RetryAfter time.Duration

	status *status.Status
}

// FieldViolation is a fault of one field of a request.
type FieldViolation struct {
	Field       string // its path, such as seats[1].robot.strategy
	Description string
}

// Error returns the message with the reason in brackets.
func (e *Error) Error() string { return fmt.Sprintf("%s [%s]", e.Message, e.Reason) }

// GRPCStatus returns the status of the call.
func (e *Error) GRPCStatus() *status.Status { return e.status }

// Temporary reports whether the same call may succeed later: the server or the network is
// unavailable, a rate limit was exceeded, or the change lost to concurrent writes.
func (e *Error) Temporary() bool {
	switch e.Code {
	case codes.Unavailable, codes.DeadlineExceeded:
		return true
	case codes.ResourceExhausted:
		return e.RetryAfter > 0
	default:
		return e.changedNothing()
	}
}

// NotSent reports whether the call certainly changed nothing, although it can succeed later.
func (e *Error) NotSent() bool {
	return e.Temporary() && (e.Metadata["sent"] == "false" || e.changedNothing())
}

func (e *Error) changedNothing() bool {
	return e.Reason == "STORE_CONTENDED" || e.Code == codes.ResourceExhausted
}

// FromStatus returns the error that a status describes.
func FromStatus(s *status.Status) *Error {
	e := &Error{
		Reason: code.Code(s.Code()).String(), Code: s.Code(), Message: s.Message(), status: s,
	}
	for _, each := range s.Details() {
		switch detail := each.(type) {
		case *errdetails.ErrorInfo:
			e.Reason, e.Metadata = detail.GetReason(), detail.GetMetadata()
		case *errdetails.RetryInfo:
			e.RetryAfter = detail.GetRetryDelay().AsDuration()
		case *errdetails.BadRequest:
			for _, v := range detail.GetFieldViolations() {
				violation := FieldViolation{Field: v.GetField(), Description: v.GetDescription()}
				e.Violations = append(e.Violations, violation)
			}
		}
	}
	return e
}

// typed returns the error of a call as an [Error]. io.EOF, the end of a stream, stays.
func typed(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	return FromStatus(status.Convert(err))
}
