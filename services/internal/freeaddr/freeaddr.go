// Package freeaddr finds addresses for servers of tests that must know them before they listen.
package freeaddr

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// The ports are below those that systems give to connections and to listeners on port 0. So no
// connection takes one between the call of New and the start of the server.
const lowest, ports = 10000, 20000

// New returns an address of this machine on which no program listens.
func New(t testing.TB) string {
	t.Helper()
	for range 100 {
		addr := fmt.Sprintf("127.0.0.1:%d", lowest+rand.IntN(ports)) //nolint:gosec // No secret.
		if lis, err := new(net.ListenConfig).Listen(t.Context(), "tcp", addr); err == nil {
			_ = lis.Close()
			return addr
		}
	}
	t.Fatal("no port is free")
	return ""
}
