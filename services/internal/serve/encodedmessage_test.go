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

// The receiver gets the original message, over a network and in the same process.
func TestEncodedMessage(t *testing.T) {
	want := &gamev1.WatchGameResponse{
		Version: 7,
		Time:    &timestamppb.Timestamp{Seconds: 5},
		Message: &gamev1.WatchGameResponse_Event{Event: &gamev1.Event{GameId: "g", Version: 7}},
	}
	encoded := NewEncodedMessage(want)
	for range 2 { // The second round uses the shared encoding.
		var inProcess, overNetwork gamev1.WatchGameResponse
		if err := (inProcessCloner{}).Copy(&inProcess, encoded); err != nil {
			t.Fatal(err)
		}
		wireBytes, err := codec{encoding.GetCodecV2(grpcproto.Name)}.Marshal(encoded)
		if err != nil {
			t.Fatal(err)
		}
		if err := proto.Unmarshal(wireBytes.Materialize(), &overNetwork); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, &inProcess, protocmp.Transform()); diff != "" {
			t.Errorf("in the same process (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want, &overNetwork, protocmp.Transform()); diff != "" {
			t.Errorf("over a network (-want +got):\n%s", diff)
		}
	}
}

// Receivers in the same process share the message and its encoding in a format. Other receivers encode
// the message themselves.
func TestReceivedMessage(t *testing.T) {
	event := &gamev1.Event{GameId: "g", Version: 7}
	calls := 0
	encode := func(m proto.Message) ([]byte, error) {
		calls++
		return []byte(m.(*gamev1.Event).GetGameId()), nil
	}
	for _, c := range []struct {
		name string
		sent any
		want int // calls of encode
	}{
		{"shared", NewEncodedMessage(event), 2},
		{"own", event, 4},
	} {
		calls = 0
		for range 2 {
			var received ReceivedMessage
			receive := func(m ReceivedMessage) error { received = m; return nil }
			if err := sendTo(receive, c.sent); err != nil {
				t.Fatal(err)
			}
			for _, format := range []string{"first", "second"} {
				if got, err := received.Encode(format, encode); string(got) != "g" || err != nil {
					t.Errorf("%s: Encode = %q, %v", c.name, got, err)
				}
			}
		}
		if calls != c.want {
			t.Errorf("%s: %d calls of encode, want %d", c.name, calls, c.want)
		}
	}
}

func TestInProcessClonerRejectsOtherTypes(t *testing.T) {
	var m gamev1.Event
	if (inProcessCloner{}).Copy(&m, "text") == nil || (inProcessCloner{}).Copy("text", &m) == nil {
		t.Error("Copy accepted a string")
	}
}
