package gateway

import (
	"errors"
	"io"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	lru "github.com/hashicorp/golang-lru/v2"
	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// written is how every message is written: zero values are there, messages that are not set are not.
var written = protojson.MarshalOptions{EmitDefaultValues: true}

// marshaler is what the mux reads and writes messages with. A google.api.HttpBody is written as the document it is.
type marshaler struct {
	// games holds what was written of games last, by their etags: a game with the same one is the same, and looked at again
	// and again. Writing JSON is half of what answering costs.
	games *lru.Cache[string, []byte]
}

// heldGames is how many games a marshaler holds, of one to a few kilobytes each.
const heldGames = 1024

func newMarshaler() marshaler {
	games, _ := lru.New[string, []byte](heldGames)
	return marshaler{games}
}

func (m marshaler) Marshal(v any) ([]byte, error) {
	switch v := v.(type) {
	case *httpbody.HttpBody:
		return v.GetData(), nil
	case *gamev1.GetGameResponse:
		return m.game(v)
	case proto.Message:
		return written.Marshal(v)
	}
	return nil, errors.New("not a message")
}

func (m marshaler) game(answer *gamev1.GetGameResponse) ([]byte, error) {
	etag := answer.GetGame().GetEtag()
	if text, ok := m.games.Get(etag); ok {
		return text, nil
	}
	text, err := written.Marshal(answer)
	if err == nil && etag != "" {
		m.games.Add(etag, text)
	}
	return text, err
}

func (marshaler) ContentType(v any) string {
	if body, ok := v.(*httpbody.HttpBody); ok {
		return body.GetContentType()
	}
	return jsonType
}

// NewDecoder returns a decoder of a body that was read already.
func (marshaler) NewDecoder(r io.Reader) runtime.Decoder {
	return runtime.DecoderFunc(func(v any) error {
		message, ok := v.(proto.Message)
		body, read := r.(decoded)
		if !ok || !read {
			return errors.New("not a request that was read")
		}
		proto.Merge(message, body.message)
		return nil
	})
}

// Unmarshal and NewEncoder complete runtime.Marshaler. The mux does not call them.

func (marshaler) Unmarshal([]byte, any) error { return errors.ErrUnsupported }

func (marshaler) NewEncoder(io.Writer) runtime.Encoder {
	return runtime.EncoderFunc(func(any) error { return errors.ErrUnsupported })
}

// decoded is the body of a request that was read into a message.
type decoded struct {
	io.ReadCloser
	message proto.Message
}
