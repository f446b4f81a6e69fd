// Package dnstest simulates several machines in one test: it allocates loopback addresses and
// serves DNS for them in the process of the test.
package dnstest

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

var allocated atomic.Uint32

// Hosts returns n loopback addresses that no other test uses, so that servers can use one port on
// all of them and restart there. It skips the test if the system has no loopback address but
// 127.0.0.1.
func Hosts(t testing.TB, n int) []netip.Addr {
	t.Helper()
	hosts := make([]netip.Addr, n)
	for i := range hosts {
		id, pid := allocated.Add(1), os.Getpid()
		hosts[i] = netip.AddrFrom4([4]byte{127, byte(16 + pid>>8&0x7f), byte(pid), byte(id)})
	}
	lis, err := new(net.ListenConfig).
		Listen(t.Context(), "tcp", netip.AddrPortFrom(hosts[0], 0).String())
	if err != nil {
		t.Skipf("no loopback address but 127.0.0.1: %v", err)
	}
	lis.Close()
	return hosts
}

// Serve serves DNS until the test ends: every name resolves to the addresses. It returns the gRPC
// target of a port on all addresses.
func Serve(t testing.TB, port string, addresses ...netip.Addr) (target string) {
	t.Helper()
	conn, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		packet := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(packet)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if reply, err := answer(packet[:n], addresses); err == nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
	t.Cleanup(func() {
		conn.Close()
		<-served
	})
	return fmt.Sprintf("dns://%s/flipside.test:%s", conn.LocalAddr(), port)
}

// answer answers a DNS query. The answer to a query of type A has the addresses, any other none.
func answer(query []byte, addresses []netip.Addr) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	if len(m.Questions) != 1 {
		return nil, errors.New("a query must have one question")
	}
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	if question := m.Questions[0]; question.Type == dnsmessage.TypeA {
		for _, address := range addresses {
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: question.Name, Class: question.Class},
				Body:   &dnsmessage.AResource{A: address.As4()},
			})
		}
	}
	return m.Pack()
}
