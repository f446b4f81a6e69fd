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

// stallTimeout limits the time in which a client reads one message. By then the service has ended
// the stream with END_REASON_TOO_SLOW. The stream itself has no time limit.
const stallTimeout = 90 * time.Second

// stream serves a streaming RPC. An error before the first message is answered like the error of a
// unary call. A later error ends the stream.
func (g *Gateway) stream(w http.ResponseWriter, r *http.Request, rt *route, in proto.Message) {
	if g.draining.Err() != nil {
		g.reject(w, r, rt.backend.unavailable())
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(g.draining, cancel)()
	ctx, err := runtime.AnnotateContext(ctx, g.mux, r, rt.fullMethod())
	if err != nil {
		g.reject(w, r, err)
		return
	}
	messages, err := rt.backend.openStream(ctx, rt.fullMethod(), in)
	if err != nil {
		writeStatus(w, r, status.Convert(err))
		return
	}
	first := rt.newMessage()
	err = messages.receive(first)
	if errors.Is(err, io.EOF) {
		err = serve.Status(rt.backend.unavailable()).Err()
	}
	if err != nil {
		writeStatus(w, r, status.Convert(g.endError(err, rt)))
		return
	}
	out := newStreamWriter(w, r, rt)
	if out.writeHeader(first.Message); !out.headerOnly {
		out.close(g.forward(out, rt, messages, first))
	}
}

// forward sends m and all further messages. It returns the error for the client, if any.
func (g *Gateway) forward(
	out *streamWriter, rt *route, messages *messageStream, m *serve.ReceivedMessage,
) error {
	for {
		if out.send(m) != nil {
			return nil // The client is gone.
		}
		next := rt.newMessage()
		switch err := messages.receive(next); {
		case err == nil:
		case errors.Is(err, io.EOF) || endOf(m.Message) != nil: // Nothing follows an end message.
			return nil
		case g.draining.Err() != nil && shutdownMessage(m.Message) != nil:
			// It is the last message in any case.
			_ = out.send(&serve.ReceivedMessage{Message: shutdownMessage(m.Message)})
			return nil
		default:
			return g.endError(err, rt)
		}
		m = next
	}
}

// endError returns the error that ends a stream. Draining cancels the call; the client gets the
// error of an unavailable service for that.
func (g *Gateway) endError(err error, rt *route) error {
	if status.Code(err) == codes.Canceled && g.draining.Err() != nil {
		return serve.Status(rt.backend.unavailable()).Err()
	}
	return err
}

// streamWriter writes the response of a stream.
type streamWriter struct {
	framing
	w          http.ResponseWriter
	control    *http.ResponseController
	resumed    bool // whether the request has the header Last-Event-ID
	headerOnly bool // whether the response has no body
}

func newStreamWriter(w http.ResponseWriter, r *http.Request, rt *route) *streamWriter {
	out := &streamWriter{framing: ndjson{}, w: w, control: http.NewResponseController(w)}
	if acceptsEvents(r.Header[acceptHeader]) {
		out.framing = events{point: rt.point}
		out.resumed = r.Header.Get(lastEventHeader) != ""
	}
	rw, ok := w.(*responseWriter)
	out.headerOnly = ok && rw.headerOnly
	return out
}

// writeHeader writes the header. It answers 204 to a client that resumes the events of a finished
// game without new ones: EventSource reconnects until it gets this status.
func (o *streamWriter) writeHeader(first proto.Message) {
	gameOver := endOf(first).GetReason() == gamev1.EndReason_END_REASON_GAME_OVER
	if o.resumed && gameOver {
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

func (o *streamWriter) send(m *serve.ReceivedMessage) error {
	frame, err := m.Encode(o.framing, o.messageFrame)
	if err != nil {
		return err
	}
	return o.write(frame)
}

func (o *streamWriter) write(frame []byte) error {
	_ = o.control.SetWriteDeadline(time.Now().Add(stallTimeout)) // Test servers do not support it.
	if _, err := o.w.Write(frame); err != nil {
		return err
	}
	return o.control.Flush()
}

// close writes the error that ended the stream, if any, and resets the deadline of the connection.
func (o *streamWriter) close(err error) {
	if err != nil && status.Code(err) != codes.Canceled { // A canceled call has no client.
		_ = o.write(o.errorFrame(status.Convert(err)))
	}
	_ = o.control.SetWriteDeadline(time.Time{})
}

// shutdownMessage returns the end message for a shutdown, with the resume point of the last
// message. It returns nil for a stream without end messages.
func shutdownMessage(last proto.Message) proto.Message {
	end := &gamev1.End{Reason: gamev1.EndReason_END_REASON_SHUTTING_DOWN}
	switch last := last.(type) {
	case *gamev1.WatchGameResponse:
		return &gamev1.WatchGameResponse{
			Version: last.GetVersion(), Time: timestamppb.Now(),
			Message: &gamev1.WatchGameResponse_End{End: end},
		}
	case *gamev1.WatchTurnsResponse:
		return &gamev1.WatchTurnsResponse{
			Cursor: last.GetCursor(), Time: timestamppb.Now(),
			Message: &gamev1.WatchTurnsResponse_End{End: end},
		}
	}
	return nil
}

// endOf returns the end in an end message, or nil for any other message.
func endOf(m proto.Message) *gamev1.End {
	if message, ok := m.(interface{ GetEnd() *gamev1.End }); ok {
		return message.GetEnd()
	}
	return nil
}
