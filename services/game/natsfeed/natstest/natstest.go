// Package natstest runs NATS inside the process of a test. It is for tests only.
package natstest

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server on a local address. It keeps the address when it is stopped and started
// again.
type Server struct {
	*server.Server
	options server.Options
}

// Start starts NATS until the end of the test. change, which may be nil, changes the options.
func Start(t testing.TB, change func(*server.Options)) *Server {
	t.Helper()
	s := &Server{options: server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
	}}
	if change != nil {
		change(&s.options)
	}
	s.Start(t)
	t.Cleanup(s.Stop)
	return s
}

// Start starts NATS again at the same address.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	options := s.options
	running, err := server.NewServer(&options)
	if err != nil {
		t.Fatal(err)
	}
	running.Start()
	if !running.ReadyForConnections(10 * time.Second) {
		t.Fatal("NATS does not start")
	}
	s.Server = running
	s.options.Port = options.Port
}

// Stop stops NATS. It can be called twice.
func (s *Server) Stop() {
	s.Shutdown()
	s.WaitForShutdown()
}

// URL returns the address of NATS.
func (s *Server) URL() string { return s.ClientURL() }
