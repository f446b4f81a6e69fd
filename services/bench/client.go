//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
)

// rawCodec sends encoded messages. It decodes to []byte for a copy of the encoded message. It
// ignores messages for all other targets, so that the client costs the same for each kind.
type rawCodec struct{}

func (rawCodec) Name() string { return "proto" }

func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	if message, ok := v.(*[]byte); ok && message != nil {
		*message = data.Materialize()
	}
	return nil
}

// network is connections to a server for encoded messages.
type network []*grpc.ClientConn

// dial opens connections to a server. They close with the scope.
func (b *bench) dial(addr string, connections int) network {
	var n network
	for range connections {
		n = append(n, must(grpc.NewClient("passthrough:///"+addr,
			grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{})))))
	}
	b.cleanup(func() {
		for _, conn := range n {
			_ = conn.Close()
		}
	})
	return n
}

// call makes a unary call over the connection of a caller.
func (n network) call(ctx context.Context, caller int, method string, request []byte) error {
	return n[caller%len(n)].Invoke(ctx, method, request, nil)
}

// receive waits for the next message of a stream and copies it to message unless that is nil.
type receive func(message *[]byte) error

// stream opens a stream over the connection of a caller.
func (n network) stream(ctx context.Context, caller int, method string, request []byte) receive {
	desc := &grpc.StreamDesc{ServerStreams: true}
	stream := must(n[caller%len(n)].NewStream(ctx, desc, method))
	check(stream.SendMsg(request))
	check(stream.CloseSend())
	return func(message *[]byte) error { return stream.RecvMsg(message) }
}

// httpConn is an HTTP connection on which a caller repeats one request. It reads as little of the
// responses as possible.
type httpConn struct {
	conn      net.Conn
	responses *bufio.Reader
	request   []byte
}

// maxChunk is the longest chunk or line of a response.
const maxChunk = 16 << 10

// dialHTTP opens a connection for a GET request with more headers. It closes with the scope.
func (b *bench) dialHTTP(ctx context.Context, addr, path, headers string) *httpConn {
	conn := must((&net.Dialer{}).DialContext(ctx, "tcp", addr))
	b.cleanup(func() { _ = conn.Close() })
	request := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", path, addr, headers)
	return &httpConn{conn, bufio.NewReaderSize(conn, maxChunk), []byte(request)}
}

// get sends the request and reads the response.
func (h *httpConn) get() error {
	length, err := h.send()
	if err == nil {
		_, err = h.responses.Discard(length)
	}
	return err
}

// send sends the request and reads the header of the response. It returns the length of the body,
// or -1 if the header has none.
func (h *httpConn) send() (length int, err error) {
	if _, err := h.conn.Write(h.request); err != nil {
		return 0, err
	}
	line, err := h.line()
	if err == nil && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
		return 0, fmt.Errorf("unexpected status %q", line)
	}
	for length = -1; err == nil && len(line) > 0; line, err = h.line() {
		if value, found := bytes.CutPrefix(line, []byte("Content-Length: ")); found {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		}
	}
	return length, err
}

func (h *httpConn) line() ([]byte, error) {
	line, err := h.responses.ReadSlice('\n')
	return bytes.TrimSuffix(line, []byte("\r\n")), err
}

// chunk waits for the next chunk of a body, which is a server-sent event.
func (h *httpConn) chunk(message *[]byte) error {
	line, err := h.line()
	if err != nil {
		return err
	}
	size, err := strconv.ParseInt(string(line), 16, 0)
	if err != nil {
		return err
	}
	chunk, err := h.responses.Peek(int(size))
	if message != nil {
		*message = bytes.Clone(chunk)
	}
	_, _ = h.responses.Discard(int(size) + len("\r\n"))
	return err
}
