package gateway

import (
	"context"
	"net/http"
	"sync"
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
	out := newStreamWriter(w, r, rt)
	err = rt.backend.stream(ctx, rt.fullMethod(), in, rt.newMessage, out.receive)
	last, writable := out.stop()
	switch {
	case last == nil:
		if err == nil {
			err = serve.Status(rt.backend.unavailable()).Err()
		}
		writeStatus(w, r, status.Convert(g.endError(err, rt)))
	case !writable || err == nil || endOf(last) != nil: // Nothing follows an end message.
	case g.draining.Err() != nil && shutdownMessage(last) != nil:
		_ = out.send(serve.ReceivedMessage{Message: shutdownMessage(last)}) // It is the last one.
	default:
		out.sendError(g.endError(err, rt))
	}
	_ = out.control.SetWriteDeadline(time.Time{}) // The connection may serve other requests.
}

// endError returns the error that ends a stream. Draining cancels the call; the client gets the
// error of an unavailable service for that.
func (g *Gateway) endError(err error, rt *route) error {
	if status.Code(err) == codes.Canceled && g.draining.Err() != nil {
		return serve.Status(rt.backend.unavailable()).Err()
	}
	return err
}

// streamWriter writes the response of a stream. A service in the same process calls receive in a
// goroutine of its own until the handler of the request calls stop.
type streamWriter struct {
	framing
	w       http.ResponseWriter
	control *http.ResponseController
	resumed bool      // whether the request has the header Last-Event-ID
	renewed time.Time // when the write deadline was set

	mu   sync.Mutex
	last proto.Message // the last message received
	// ended reports that no message may be written: the stream has stopped, the client is gone, or
	// the response has no body.
	ended bool
}

func newStreamWriter(w http.ResponseWriter, r *http.Request, rt *route) *streamWriter {
	out := &streamWriter{framing: ndjson{}, w: w, control: http.NewResponseController(w)}
	if acceptsEvents(r.Header[acceptHeader]) {
		out.framing = events{point: rt.point}
		out.resumed = r.Header.Get(lastEventHeader) != ""
	}
	return out
}

// receive implements serve.Receiver. The first message decides the header.
func (o *streamWriter) receive(m serve.ReceivedMessage) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return context.Canceled
	}
	if o.last == nil {
		o.ended = !o.writeHeader(m.Message)
	}
	o.last = m.Message
	if !o.ended {
		o.ended = o.send(m) != nil
	}
	if o.ended {
		return context.Canceled
	}
	return nil
}

// stop makes receive fail. It returns the last message received, nil if there was none, and whether
// more may be written. It waits for a message that is being written.
func (o *streamWriter) stop() (last proto.Message, writable bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	writable = !o.ended
	o.ended = true
	return o.last, writable
}

// writeHeader writes the header and reports whether a body follows. It answers 204 to a client that
// resumes the events of a finished game without new ones: EventSource reconnects until it gets this
// status.
func (o *streamWriter) writeHeader(first proto.Message) (hasBody bool) {
	gameOver := endOf(first).GetReason() == gamev1.EndReason_END_REASON_GAME_OVER
	if o.resumed && gameOver {
		o.w.WriteHeader(http.StatusNoContent)
		return false
	}
	h := o.w.Header()
	h.Set(contentTypeHeader, o.contentType())
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no")
	o.w.WriteHeader(http.StatusOK)
	rw, ok := o.w.(*responseWriter)
	return !ok || !rw.headerOnly
}

func (o *streamWriter) send(m serve.ReceivedMessage) error {
	frame, err := m.Encode(o.framing, o.messageFrame)
	if err != nil {
		return err
	}
	return o.write(frame)
}

// sendError writes the error that ended the stream.
func (o *streamWriter) sendError(err error) {
	if status.Code(err) != codes.Canceled { // A canceled call has no client.
		_ = o.write(o.errorFrame(status.Convert(err)))
	}
}

func (o *streamWriter) write(frame []byte) error {
	// A deadline costs a timer, so that messages in quick succession share one.
	if now := time.Now(); now.Sub(o.renewed) > time.Second {
		o.renewed = now
		_ = o.control.SetWriteDeadline(now.Add(stallTimeout)) // Test servers do not support it.
	}
	if _, err := o.w.Write(frame); err != nil {
		return err
	}
	return o.control.Flush()
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
