package apitest

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"io"
	"net/http"
	"strings"
	"testing"

	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// The test sends calls that clients of gRPC do not send, as HTTP/2 requests.
func TestErrorsOfTheTransport(t *testing.T) {
	t.Parallel()
	s := &scene{T: t, server: startServer(t, nil), via: overGRPC{}}
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(transport.CloseIdleConnections)
	frame := func(flag byte, length uint32, message []byte) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{flag}, length), message...)
	}
	large, err := proto.Marshal(&gamev1.GetGameRequest{GameId: strings.Repeat("a", 1<<20)})
	if err != nil {
		t.Fatal(err)
	}
	const tooLarge = 1<<20 + 64<<10 + 1
	for _, c := range []struct {
		name, header, value string
		body                []byte
		want                codes.Code
		reason              string // "" for an error without details
	}{
		{"a deadline that has passed", "Grpc-Timeout", "1n", frame(0, 0, nil), codes.DeadlineExceeded, "DEADLINE_EXCEEDED"},
		{"a compressed message", "Grpc-Encoding", "gzip", frame(1, 1, []byte{0}), codes.InvalidArgument, "UNSUPPORTED_MEDIA_TYPE"},
		{"a message of a little more than 1 MiB", "", "", frame(0, uint32(len(large)), large), codes.InvalidArgument, "BODY_TOO_LARGE"},
		{"a message that is much too large", "", "", frame(0, tooLarge, make([]byte, tooLarge)), codes.ResourceExhausted, ""},
		{"an unknown compression", "Grpc-Encoding", "snappy", frame(1, 1, []byte{0}), codes.Unimplemented, ""},
		{"a compressed message without its compression", "", "", frame(1, 1, []byte{0}), codes.Internal, ""},
		{"an unknown payload format", "", "", frame(7, 1, []byte{0}), codes.Internal, ""},
		{"an incomplete message", "", "", frame(0, 9, []byte{0}), codes.Internal, ""},
		{"no message", "", "", nil, codes.Internal, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
				"http://"+s.server.game.Target()[len("passthrough:///"):]+rpcNamed(t, "GetGame").fullMethod(), bytes.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range s.headers(ann) {
				req.Header.Set(name, value)
			}
			req.Header.Set("Content-Type", "application/grpc")
			req.Header.Set("Te", "trailers")
			if c.header != "" {
				req.Header.Set(c.header, c.value)
			}
			resp, err := transport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				t.Fatal(err)
			}
			got := statusOfTrailer(t, resp)
			if got.Code() != c.want || len(got.Details()) == 0 != (c.reason == "") {
				t.Fatalf("got %v %v, want %v %s", got, got.Details(), c.want, c.reason)
			}
			if reason := serve.Reason(got); reason != c.reason {
				t.Errorf("the reason is %s, want %s", reason, c.reason)
			}
		})
	}
}

// statusOfTrailer returns the status in the trailer of a response, or in its header if it has no
// body.
func statusOfTrailer(t *testing.T, resp *http.Response) *status.Status {
	t.Helper()
	fields := resp.Trailer
	if fields.Get("Grpc-Status") == "" {
		fields = resp.Header
	}
	s := &rpcstatus.Status{}
	if details := fields.Get("Grpc-Status-Details-Bin"); details != "" {
		data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(details, "="))
		if err == nil {
			err = proto.Unmarshal(data, s)
		}
		if err != nil {
			t.Fatal(err)
		}
		return status.FromProto(s)
	}
	var code codes.Code
	if err := code.UnmarshalJSON([]byte(fields.Get("Grpc-Status"))); err != nil {
		t.Fatalf("%v: %v", err, fields)
	}
	return status.New(code, fields.Get("Grpc-Message"))
}
