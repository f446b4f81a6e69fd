package gateway

import (
	"mime"
	"strings"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// framing encodes the messages of a stream in the body of a response. Implementations are
// comparable; equal ones encode alike.
type framing interface {
	contentType() string
	messageFrame(m proto.Message) ([]byte, error)
	// errorFrame encodes the error that ends the stream.
	errorFrame(s *status.Status) []byte
}

// The media types of streams.
const (
	ndjsonType = "application/x-ndjson"
	eventsType = "text/event-stream"
)

// acceptsEvents reports whether the header Accept asks for server-sent events instead of NDJSON.
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

// ndjson is one JSON object per line: {"result": message}, and {"error": status} for an error.
type ndjson struct{}

func (ndjson) contentType() string { return ndjsonType }

func (ndjson) messageFrame(m proto.Message) ([]byte, error) {
	line, err := jsonFormat.MarshalAppend([]byte(`{"result":`), m)
	return append(line, "}\n"...), err
}

func (ndjson) errorFrame(s *status.Status) []byte {
	line := append([]byte(`{"error":`), statusJSON(s)...)
	return append(line, "}\n"...)
}

// events is server-sent events. The id of an event is the resume point, if the stream has one. Its
// name is that of the field in the message, or "error" for a status.
type events struct{ point protoreflect.FieldDescriptor }

func (events) contentType() string { return eventsType }

func (e events) messageFrame(m proto.Message) ([]byte, error) {
	var event []byte
	if e.point != nil {
		if id := m.ProtoReflect().Get(e.point).String(); id != "" {
			event = append(event, "id: "+id+"\n"...)
		}
	}
	event = append(event, "event: "+eventName(m.ProtoReflect())+"\ndata: "...)
	event, err := jsonFormat.MarshalAppend(event, m)
	return append(event, "\n\n"...), err
}

func (events) errorFrame(s *status.Status) []byte {
	event := append([]byte("event: error\ndata: "), statusJSON(s)...)
	return append(event, "\n\n"...)
}

// eventName returns the name of the field that is set in the oneof of a message. A message without
// a oneof has one field.
func eventName(m protoreflect.Message) string {
	if m.Descriptor().Oneofs().Len() == 0 {
		return m.Descriptor().Fields().Get(0).JSONName()
	}
	if field := m.WhichOneof(m.Descriptor().Oneofs().Get(0)); field != nil {
		return field.JSONName()
	}
	return "message" // A newer service sent a field that this version does not know.
}
