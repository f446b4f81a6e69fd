package gateway

import (
	"errors"
	"io"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/cache"
)

// jsonFormat is the format of all messages: with zero values, without unset messages.
var jsonFormat = protojson.MarshalOptions{EmitDefaultValues: true}

// marshaler is the runtime.Marshaler of the mux. It writes a google.api.HttpBody as the document in
// it.
type marshaler struct {
	runtime.Marshaler // nil: the mux does not call the methods that are not implemented here.
	// games caches encoded GetGame responses by etag. Encoding is half the cost of a response.
	games *cache.Cache[string, []byte]
}

func newMarshaler(budget *cache.Budget) marshaler {
	size := func(etag string, encoded []byte) int {
		return 40 + len(etag) + len(encoded) // The headers of the string and of the slice.
	}
	return marshaler{games: cache.New(budget, "gateway_games", 4, size)}
}

// Marshal implements runtime.Marshaler.
func (m marshaler) Marshal(v any) ([]byte, error) {
	switch v := v.(type) {
	case *httpbody.HttpBody:
		return v.GetData(), nil
	case *gamev1.GetGameResponse:
		return m.game(v)
	case proto.Message:
		return jsonFormat.Marshal(v)
	}
	return nil, errors.New("not a message")
}

func (m marshaler) game(response *gamev1.GetGameResponse) ([]byte, error) {
	etag := response.GetGame().GetEtag()
	if encoded, ok := m.games.Get(etag); ok {
		return encoded, nil
	}
	encoded, err := jsonFormat.Marshal(response)
	if err == nil && etag != "" {
		m.games.Put(etag, encoded)
	}
	return encoded, err
}

// ContentType implements runtime.Marshaler.
func (marshaler) ContentType(v any) string {
	if body, ok := v.(*httpbody.HttpBody); ok {
		return body.GetContentType()
	}
	return jsonType
}

// NewDecoder implements runtime.Marshaler. The decoder returns the message of a decodedBody.
func (marshaler) NewDecoder(r io.Reader) runtime.Decoder {
	return runtime.DecoderFunc(func(v any) error {
		message, ok := v.(proto.Message)
		body, decoded := r.(decodedBody)
		if !ok || !decoded {
			return errors.New("not a decoded body")
		}
		proto.Merge(message, body.message)
		return nil
	})
}

// decodedBody is a body that has been read and decoded.
type decodedBody struct {
	io.ReadCloser
	message proto.Message
}
