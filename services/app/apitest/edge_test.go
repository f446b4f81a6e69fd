package apitest

import (
	"net/http"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/app"

	_ "google.golang.org/grpc/encoding/gzip" // the compressor of the clients
)

// A connection above the limit can make no calls while all others are in calls, but probes work.
func TestTooManyConnections(t *testing.T) {
	t.Parallel()
	server := startServer(t, func(s *app.Settings) { s.MaxAddressConnections = 1 })
	s := &scene{T: t, server: server, via: overGRPC{}}
	s.game = game(square8, ann, bob).watchedBy(ann)(s)
	tooManyConns.with("limit", "1").check(t, (&scene{T: t, server: server, via: overREST{}}).call(ann, "GetMe", `{}`))
	resp, err := server.client.Get(server.http + "/livez")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("/livez: %s", resp.Status)
	}
}

func TestUnknownMethods(t *testing.T) {
	t.Parallel()
	server := startServer(t, nil)
	call := func(method string) *status.Status {
		ctx := outgoing(t.Context(), map[string]string{"authorization": "Bearer flk_a_b"})
		return status.Convert(server.game.Invoke(ctx, method, &gamev1.GetMeRequest{}, &gamev1.GetMeResponse{}))
	}
	for _, method := range []string{"/flipside.game.v1.GameService/Undo", "/other.Service/Call"} {
		unimplemented.check(t, &answer{status: call(method)})
	}
	if s := call("nonsense"); s.Code() != codes.Unimplemented { // The transport answers it, without a reason.
		t.Errorf("a malformed path: %v", s)
	}
}

// The server does not unpack compressed requests, and does not compress responses to them.
func TestCompressedRequestsAreRejected(t *testing.T) {
	t.Parallel()
	server := startServer(t, nil)
	s := &scene{T: t, server: server, via: overGRPC{}}
	for call, in := range map[string]proto.Message{"GetMe": &gamev1.GetMeRequest{}, "WatchTurns": &gamev1.WatchTurnsRequest{}} {
		ctx := outgoing(t.Context(), s.headers(ann))
		r := rpcNamed(t, call)
		stream, err := server.game.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, r.fullMethod(), grpc.UseCompressor("gzip"))
		if err != nil {
			t.Fatal(err)
		}
		if err := stream.SendMsg(in); err != nil {
			t.Fatal(err)
		}
		unsupportedMedia.check(t, &answer{status: status.Convert(stream.RecvMsg(r.response()))})
		if header, _ := stream.Header(); len(header.Get("grpc-encoding")) > 0 {
			t.Errorf("%s: the response is compressed: %v", call, header)
		}
	}
	if encoding.GetCompressor("gzip") == nil {
		t.Fatal("the client does not compress")
	}
}
