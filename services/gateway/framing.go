package gateway

import (
	"mime"
	"strings"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// framing is how the messages of a stream are told apart in the body of an answer.
type framing interface {
	contentType() string
	// frame writes one message.
	frame(m proto.Message) ([]byte, error)
	// failure writes the error that ended the stream.
	failure(s *status.Status) []byte
}

// The media types of streams.
const (
	linesType  = "application/x-ndjson"
	eventsType = "text/event-stream"
)

// acceptsEvents reports whether a reader asks for server-sent events; whoever does not gets lines.
func acceptsEvents(accept []string) bool {
	for _, line := range accept {
		for part := range strings.SplitSeq(line, ",") {
			if media, _, err := mime.ParseMediaType(part); err == nil && media == eventsType {
				return true
			}
		}
	}
	return false
}

// lines is one JSON object a line: {"result": message}, and for an error a last {"error": status}.
type lines struct{}

func (lines) contentType() string { return linesType }

func (lines) frame(m proto.Message) ([]byte, error) {
	line, err := written.MarshalAppend([]byte(`{"result":`), m)
	return append(line, "}\n"...), err
}

func (lines) failure(s *status.Status) []byte {
	line := append([]byte(`{"error":`), statusJSON(s)...)
	return append(line, "}\n"...)
}

// events is server-sent events. The id of an event is the resume point of the stream, if it has one; its name is that
// of what the message says, or "error" for a status.
type events struct{ point protoreflect.FieldDescriptor }

func (events) contentType() string { return eventsType }

func (e events) frame(m proto.Message) ([]byte, error) {
	var event []byte
	if e.point != nil {
		if id := m.ProtoReflect().Get(e.point).String(); id != "" {
			event = append(event, "id: "+id+"\n"...)
		}
	}
	event = append(event, "event: "+nameOf(m.ProtoReflect())+"\ndata: "...)
	event, err := written.MarshalAppend(event, m)
	return append(event, "\n\n"...), err
}

func (events) failure(s *status.Status) []byte {
	event := append([]byte("event: error\ndata: "), statusJSON(s)...)
	return append(event, "\n\n"...)
}

// nameOf is the name of what a message says: the field that is set of its choice, or its only field.
func nameOf(m protoreflect.Message) string {
	if m.Descriptor().Oneofs().Len() == 0 {
		return m.Descriptor().Fields().Get(0).JSONName()
	}
	if field := m.WhichOneof(m.Descriptor().Oneofs().Get(0)); field != nil {
		return field.JSONName()
	}
	return "message" // Said in a way that is newer than this program.
}
