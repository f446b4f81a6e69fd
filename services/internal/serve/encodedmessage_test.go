package serve

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// A shared message reaches the other side as the message it stands for, over a network and inside the process.
func TestASharedMessageIsTheMessage(t *testing.T) {
	want := &gamev1.WatchGameResponse{
		Version: 7,
		Time:    &timestamppb.Timestamp{Seconds: 5},
		Message: &gamev1.WatchGameResponse_Event{Event: &gamev1.Event{GameId: "g", Version: 7}},
	}
	shared := NewEncodedMessage(want)
	for range 2 { // The second time it is encoded already.
		var here, there gamev1.WatchGameResponse
		if err := (handover{}).Copy(&here, shared); err != nil {
			t.Fatal(err)
		}
		written, err := codec{encoding.GetCodecV2(grpcproto.Name)}.Marshal(shared)
		if err != nil {
			t.Fatal(err)
		}
		if err := proto.Unmarshal(written.Materialize(), &there); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, &here, protocmp.Transform()); diff != "" {
			t.Errorf("inside the process (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want, &there, protocmp.Transform()); diff != "" {
			t.Errorf("over a network (-want +got):\n%s", diff)
		}
	}
}

func TestOnlyMessagesAreHandedOver(t *testing.T) {
	var m gamev1.Event
	if (handover{}).Copy(&m, "text") == nil || (handover{}).Copy("text", &m) == nil {
		t.Error("text was taken for a message")
	}
}
