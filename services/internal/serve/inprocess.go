package serve

import (
	"context"
	"fmt"

	"github.com/fullstorydev/grpchan/inprocgrpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// inProcessCloner passes messages between parts of this process. It copies the outermost message
// only: neither side changes a message after it was sent.
type inProcessCloner struct{}

// Clone returns the message itself.
func (inProcessCloner) Clone(m any) (any, error) { return m, nil }

// Copy sets the fields of an empty message to those of another one of the same type.
func (inProcessCloner) Copy(out, in any) error {
	if sent, ok := in.(*EncodedMessage); ok {
		in = sent.message
	}
	to, ok := out.(proto.Message)
	from, alsoOK := in.(proto.Message)
	if !ok || !alsoOK {
		return fmt.Errorf("cannot copy %T to %T: both must be messages", in, out)
	}
	m := to.ProtoReflect()
	from.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		m.Set(field, value)
		return true
	})
	return nil
}

// A Receiver receives the messages of a stream, one after the other. An error ends the stream.
type Receiver func(ReceivedMessage) error

type receiverKey struct{}

// WithReceiver returns a context for a call of a server stream through [Server.Channel]. The
// goroutine that sends a message then calls receive with it, which saves a switch to the goroutine
// of the caller. RecvMsg returns only the end of the stream. A call over the network ignores
// receive. It may run until the caller has seen the end of the stream, and longer if the server
// abandons a reader that is stuck in it.
func WithReceiver(ctx context.Context, receive Receiver) context.Context {
	return context.WithValue(ctx, receiverKey{}, receive)
}

// receiverOf returns the receiver in the context of a caller in the same process, or nil.
func receiverOf(ctx context.Context) Receiver {
	caller := inprocgrpc.ClientContext(ctx)
	if caller == nil {
		return nil
	}
	receive, _ := caller.Value(receiverKey{}).(Receiver)
	return receive
}

// sendTo passes a message of a stream to its receiver.
func sendTo(receive Receiver, m any) error {
	switch m := m.(type) {
	case *EncodedMessage:
		return receive(ReceivedMessage{m.message, m})
	case proto.Message:
		return receive(ReceivedMessage{Message: m})
	default:
		return fmt.Errorf("cannot send %T: it must be a message", m)
	}
}
