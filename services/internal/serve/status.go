// Package serve provides the gRPC servers of Flipside. Interceptors around every call validate the
// request, turn errors into statuses, recover from panics, and write the request log and metrics. A
// server drains its connections before it stops.
package serve

import (
	"errors"
	"slices"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Domain is the domain of every google.rpc.ErrorInfo.
const Domain = "flipside"

// statusCodes maps each reason to its gRPC code.
var statusCodes = map[fault.Reason]codes.Code{
	fault.InvalidField:        codes.InvalidArgument,
	fault.UnknownField:        codes.InvalidArgument,
	fault.OffBoard:            codes.InvalidArgument,
	fault.InvalidGrid:         codes.InvalidArgument,
	fault.InvalidDeck:         codes.InvalidArgument,
	fault.InvalidNotation:     codes.InvalidArgument,
	fault.ConflictingRules:    codes.InvalidArgument,
	fault.BodyTooLarge:        codes.InvalidArgument,
	fault.InvalidKey:          codes.Unauthenticated,
	fault.NotYourSeat:         codes.PermissionDenied,
	fault.GameNotFound:        codes.NotFound,
	fault.PlayerNotFound:      codes.NotFound,
	fault.NotAway:             codes.FailedPrecondition,
	fault.NoSuchOffer:         codes.FailedPrecondition,
	fault.OfferDeclined:       codes.FailedPrecondition,
	fault.NothingToTakeBack:   codes.FailedPrecondition,
	fault.GameNotOver:         codes.FailedPrecondition,
	fault.TooManyChanges:      codes.FailedPrecondition,
	fault.TooManyInvitations:  codes.ResourceExhausted,
	fault.NotYourTurn:         codes.FailedPrecondition,
	fault.CellTaken:           codes.FailedPrecondition,
	fault.Hole:                codes.FailedPrecondition,
	fault.FlipsNothing:        codes.FailedPrecondition,
	fault.MustPlace:           codes.FailedPrecondition,
	fault.CardNotInHand:       codes.FailedPrecondition,
	fault.GameNotStarted:      codes.FailedPrecondition,
	fault.GameStarted:         codes.FailedPrecondition,
	fault.GameOver:            codes.FailedPrecondition,
	fault.SeatTaken:           codes.FailedPrecondition,
	fault.VersionMismatch:     codes.Aborted,
	fault.RequestIDReused:     codes.AlreadyExists,
	fault.RateLimited:         codes.ResourceExhausted,
	fault.TooManyStreams:      codes.ResourceExhausted,
	fault.TooManyConnections:  codes.ResourceExhausted,
	fault.Overloaded:          codes.ResourceExhausted,
	fault.BudgetExceeded:      codes.ResourceExhausted,
	fault.StoreContended:      codes.Aborted,
	fault.StoreUnavailable:    codes.Unavailable,
	fault.StrategyUnavailable: codes.Unavailable,
	fault.IssuerUnavailable:   codes.Unavailable,
	fault.Unimplemented:       codes.Unimplemented,
	fault.DeadlineExceeded:    codes.DeadlineExceeded,
	fault.Cancelled:           codes.Canceled,
	fault.Internal:            codes.Internal,
	// Only the gateway returns these. Its errors.go gives the last two another HTTP status.
	fault.GameUnavailable:      codes.Unavailable,
	fault.UnknownPath:          codes.NotFound,
	fault.MethodNotAllowed:     codes.Unimplemented,
	fault.UnsupportedMediaType: codes.InvalidArgument,
}

// plainFaults are the faults of errors without a reason, which come from gRPC, contexts and bugs.
var plainFaults = map[codes.Code]*fault.Error{
	codes.Canceled:         fault.New(fault.Cancelled, "the client canceled the call"),
	codes.DeadlineExceeded: fault.New(fault.DeadlineExceeded, "the deadline of the call has passed"),
	codes.Unimplemented:    fault.New(fault.Unimplemented, "this server does not implement the call"),
	codes.Internal:         fault.New(fault.Internal, "internal error"),
	codes.Unknown:          fault.New(fault.Internal, "internal error"),
	codes.DataLoss:         fault.New(fault.Internal, "internal error"),
}

// IsRejection reports whether a call failed because of its request, so that a retry fails too. A
// busy server sends the delay before a retry: that is no rejection.
func IsRejection(err error) bool {
	s := status.Convert(err)
	switch s.Code() {
	case codes.InvalidArgument, codes.FailedPrecondition, codes.OutOfRange:
		return true
	case codes.ResourceExhausted:
		return !slices.ContainsFunc(s.Details(), func(detail any) bool {
			_, retry := detail.(*errdetails.RetryInfo)
			return retry
		})
	default:
		return false
	}
}

// Status returns the status of an error: a fault with its details, and the errors of gRPC and of
// contexts with a reason. Any other error becomes INTERNAL without its text.
func Status(err error) *status.Status {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return faultStatus(e)
	}
	s, ok := status.FromError(err)
	if !ok {
		s = status.FromContextError(err) // UNKNOWN for other errors.
	}
	if e, ok := plainFaults[s.Code()]; ok && Reason(s) == "" {
		return faultStatus(e)
	}
	return s
}

func faultStatus(e *fault.Error) *status.Status {
	code, ok := statusCodes[e.Reason]
	if !ok {
		code = codes.Unknown
	}
	details := []protoadapt.MessageV1{
		&errdetails.ErrorInfo{Reason: string(e.Reason), Domain: Domain, Metadata: e.Meta},
	}
	if e.Field != "" {
		details = append(details, &errdetails.BadRequest{
			FieldViolations: []*errdetails.BadRequest_FieldViolation{
				{Field: e.Field, Description: e.Message, Reason: string(e.Reason)},
			},
		})
	}
	if e.RetryAfter > 0 {
		details = append(details, &errdetails.RetryInfo{RetryDelay: durationpb.New(e.RetryAfter)})
	}
	message := e.Message
	if e.Field != "" {
		message = e.Field + ": " + message
	}
	s := status.New(code, message)
	if with, err := s.WithDetails(details...); err == nil {
		return with
	}
	return s
}

// Reason returns the reason in the details of a status, or "".
func Reason(s *status.Status) string {
	for _, d := range s.Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info.GetReason()
		}
	}
	return ""
}
