package serve

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// A message with a shared part reaches the other side as the one message it is, over a network and inside the process.
func TestPartsAreOneMessage(t *testing.T) {
	event := &gamev1.WatchGameResponse_Event{Event: &gamev1.Event{GameId: "g", Version: 7}}
	part := NewPart(&gamev1.WatchGameResponse{Message: event})
	at := &timestamppb.Timestamp{Seconds: 5}
	for _, c := range []struct {
		name string
		own  proto.Message
		want *gamev1.WatchGameResponse
	}{
		{"alone", nil, &gamev1.WatchGameResponse{Message: event}},
		{"with fields of its own", &gamev1.WatchGameResponse{Version: 7, Time: at}, &gamev1.WatchGameResponse{Version: 7, Time: at, Message: event}},
		{"with other fields of its own", &gamev1.WatchGameResponse{Version: 8}, &gamev1.WatchGameResponse{Version: 8, Message: event}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var here, there gamev1.WatchGameResponse
			if err := (handover{}).Copy(&here, &Shared{Own: c.own, Part: part}); err != nil {
				t.Fatal(err)
			}
			written, err := codec{encoding.GetCodecV2(grpcproto.Name)}.Marshal(&Shared{Own: c.own, Part: part})
			if err != nil {
				t.Fatal(err)
			}
			if err := proto.Unmarshal(written.Materialize(), &there); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, &here, protocmp.Transform()); diff != "" {
				t.Errorf("inside the process (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.want, &there, protocmp.Transform()); diff != "" {
				t.Errorf("over a network (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOnlyMessagesAreHandedOver(t *testing.T) {
	var m gamev1.Event
	if (handover{}).Copy(&m, "text") == nil || (handover{}).Copy("text", &m) == nil {
		t.Error("text was taken for a message")
	}
}
