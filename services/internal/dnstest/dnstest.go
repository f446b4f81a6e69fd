// Package dnstest gives a test addresses of this machine that stand for machines of their own, and answers DNS queries for
// them inside the process of the test, so that one name can stand for several. It is for tests only.
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

var given atomic.Uint32

// Hosts returns addresses of this machine that no other test has, so that a server can have the same port on each and come
// back to it. It skips the test where the system has no address of its own but 127.0.0.1.
func Hosts(t testing.TB, n int) []netip.Addr {
	t.Helper()
	hosts := make([]netip.Addr, n)
	for i := range hosts {
		id, pid := given.Add(1), os.Getpid()
		hosts[i] = netip.AddrFrom4([4]byte{127, byte(16 + pid>>8&0x7f), byte(pid), byte(id)})
	}
	lis, err := new(net.ListenConfig).Listen(t.Context(), "tcp", netip.AddrPortFrom(hosts[0], 0).String())
	if err != nil {
		t.Skipf("this system has no address of its own but 127.0.0.1: %v", err)
	}
	lis.Close()
	return hosts
}

// Serve serves DNS until the test ends. Every name has the addresses. It returns the target by which gRPC finds there what
// listens on a port of them.
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

// answer answers a query: with the addresses, if it asks for those.
func answer(query []byte, addresses []netip.Addr) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	if len(m.Questions) != 1 {
		return nil, errors.New("not one question")
	}
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	if asked := m.Questions[0]; asked.Type == dnsmessage.TypeA {
		for _, address := range addresses {
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: asked.Name, Class: asked.Class},
				Body:   &dnsmessage.AResource{A: address.As4()},
			})
		}
	}
	return m.Pack()
}
