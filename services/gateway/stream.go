package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// stallTimeout is how long one message may wait for the reader to take it. A stream may last forever, but a reader who
// reads nothing at all must not hold it: by then the service has long ended it with END_REASON_TOO_SLOW.
const stallTimeout = 90 * time.Second

// stream serves a streaming RPC. An error before the first message is answered like that of any call; a later one is
// the last thing the stream says.
func (g *Gateway) stream(w http.ResponseWriter, r *http.Request, rt *route, in proto.Message) {
	if g.drained.Err() != nil {
		g.refuse(w, r, rt.backend.unavailable())
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(g.drained, cancel)()
	ctx, err := runtime.AnnotateContext(ctx, g.mux, r, rt.fullMethod())
	if err != nil {
		g.refuse(w, r, err)
		return
	}
	messages, err := rt.backend.open(ctx, rt.fullMethod(), in)
	if err != nil {
		writeStatus(w, r, status.Convert(err))
		return
	}
	first := rt.out.New().Interface()
	err = messages.next(first)
	if errors.Is(err, io.EOF) {
		err = serve.Status(rt.backend.unavailable()).Err()
	}
	if err != nil {
		writeStatus(w, r, status.Convert(g.cause(err, rt)))
		return
	}
	out := newOutgoing(w, r, rt)
	if out.begin(first); !out.headerOnly {
		out.finish(g.pump(out, rt, messages, first))
	}
}

// pump sends messages until there are no more, and returns the error that there is to tell the reader.
func (g *Gateway) pump(out *outgoing, rt *route, messages *incoming, m proto.Message) error {
	for {
		if out.message(m) != nil {
			return nil // The reader is gone.
		}
		next := rt.out.New().Interface()
		switch err := messages.next(next); {
		case errors.Is(err, io.EOF):
			return nil
		case err == nil:
		case g.drained.Err() != nil && endOf(m) != nil:
			return nil
		case g.drained.Err() != nil && farewell(m) != nil:
			_ = out.message(farewell(m)) // It is the last word, heard or not.
			return nil
		default:
			return g.cause(err, rt)
		}
		m = next
	}
}

// cause returns the error that a stream has ended with, which is none of the service's if the gateway stops.
func (g *Gateway) cause(err error, rt *route) error {
	if status.Code(err) == codes.Canceled && g.drained.Err() != nil {
		return serve.Status(rt.backend.unavailable()).Err()
	}
	return err
}

// outgoing is the body of a streamed answer.
type outgoing struct {
	framing
	w          http.ResponseWriter
	control    *http.ResponseController
	resumed    bool // whether the reader names the last event he has seen
	headerOnly bool // whether the header is all there is to send
}

func newOutgoing(w http.ResponseWriter, r *http.Request, rt *route) *outgoing {
	out := &outgoing{framing: lines{}, w: w, control: http.NewResponseController(w)}
	if acceptsEvents(r.Header[acceptHeader]) {
		out.framing = events{point: rt.point}
		out.resumed = r.Header.Get(lastEventHeader) != ""
	}
	front, ok := w.(*writer)
	out.headerOnly = ok && front.head
	return out
}

// begin writes the header. A reader of events who comes back to a finished game that has nothing new to say is told
// 204, because a browser's EventSource reconnects until it hears that.
func (o *outgoing) begin(first proto.Message) {
	if _, sse := o.framing.(events); sse && o.resumed && endOf(first).GetReason() == gamev1.EndReason_END_REASON_GAME_OVER {
		o.headerOnly = true
		o.w.WriteHeader(http.StatusNoContent)
		return
	}
	h := o.w.Header()
	h.Set(contentTypeHeader, o.contentType())
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no")
	o.w.WriteHeader(http.StatusOK)
}

func (o *outgoing) message(m proto.Message) error {
	frame, err := o.frame(m)
	if err != nil {
		return err
	}
	return o.write(frame)
}

func (o *outgoing) write(frame []byte) error {
	// A server without deadlines is one of a test.
	_ = o.control.SetWriteDeadline(time.Now().Add(stallTimeout))
	if _, err := o.w.Write(frame); err != nil {
		return err
	}
	return o.control.Flush()
}

// finish says why the stream ends, if not because all was said, and leaves the connection as it was.
func (o *outgoing) finish(err error) {
	if err != nil && status.Code(err) != codes.Canceled { // The reader who went away need not be told.
		_ = o.write(o.failure(status.Convert(err)))
	}
	_ = o.control.SetWriteDeadline(time.Time{})
}

// farewell is what tells a reader that the gateway stops, with the resume point of the last message he got. It is nil
// where a stream has no such word.
func farewell(last proto.Message) proto.Message {
	end := &gamev1.End{Reason: gamev1.EndReason_END_REASON_SHUTTING_DOWN}
	switch last := last.(type) {
	case *gamev1.WatchGameResponse:
		return &gamev1.WatchGameResponse{
			Version: last.GetVersion(), Time: timestamppb.Now(), Message: &gamev1.WatchGameResponse_End{End: end},
		}
	case *gamev1.WatchTurnsResponse:
		return &gamev1.WatchTurnsResponse{
			Cursor: last.GetCursor(), Time: timestamppb.Now(), Message: &gamev1.WatchTurnsResponse_End{End: end},
		}
	}
	return nil
}

// endOf returns what a message says if it is the last one of its stream, or nil.
func endOf(m proto.Message) *gamev1.End {
	if last, ok := m.(interface{ GetEnd() *gamev1.End }); ok {
		return last.GetEnd()
	}
	return nil
}
