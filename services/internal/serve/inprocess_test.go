package serve_test

import (
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// countingService serves WatchGame: it sends the versions from 1 on until sending fails, at most
// three.
type countingService struct {
	gamev1.UnimplementedGameServiceServer
}

func (countingService) WatchGame(
	_ *gamev1.WatchGameRequest, stream gamev1.GameService_WatchGameServer,
) error {
	for version := range 3 {
		if err := stream.Send(&gamev1.WatchGameResponse{Version: int32(version + 1)}); err != nil {
			return err
		}
	}
	return nil
}

// A receiver gets the messages of a stream in the same process, and its error ends the stream. Over
// the network, the stream receives them.
func TestWithReceiver(t *testing.T) {
	server, conn, _ := start(t, countingService{})
	defer server.Stop(t.Context())
	full := errors.New("full")
	for _, test := range []struct {
		name             string
		conn             grpc.ClientConnInterface
		limit            int // of the receiver
		received, direct []int32
		failed           bool
	}{
		{"in the same process", server.Channel(), 3, nil, []int32{1, 2, 3}, false},
		{"a receiver that fails", server.Channel(), 2, nil, []int32{1, 2}, true},
		{"over the network", conn, 0, []int32{1, 2, 3}, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var received, direct []int32
			ctx := serve.WithReceiver(t.Context(), func(m serve.ReceivedMessage) error {
				if len(direct) == test.limit {
					return full
				}
				direct = append(direct, m.Message.(*gamev1.WatchGameResponse).GetVersion())
				return nil
			})
			stream, err := gamev1.NewGameServiceClient(test.conn).
				WatchGame(ctx, &gamev1.WatchGameRequest{GameId: "01k"})
			if err != nil {
				t.Fatal(err)
			}
			for err == nil {
				var m *gamev1.WatchGameResponse
				if m, err = stream.Recv(); err == nil {
					received = append(received, m.GetVersion())
				}
			}
			if failed := !errors.Is(err, io.EOF); failed != test.failed {
				t.Errorf("the stream ended with %v", err)
			}
			if diff := cmp.Diff(test.received, received); diff != "" {
				t.Errorf("received by the stream (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.direct, direct); diff != "" {
				t.Errorf("received by the receiver (-want +got):\n%s", diff)
			}
		})
	}
}
