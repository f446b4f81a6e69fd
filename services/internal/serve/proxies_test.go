package serve

import (
	"context"
	"net"
	"strings"
	"testing"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
)

func TestClientAddress(t *testing.T) {
	proxies, err := ReadProxies([]string{"10.0.0.0/8", "192.0.2.7", "fd00::/8"})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		peer      string // "" for the gateway in the same process
		forwarded []string
		want      string
	}{
		"direct":                        {"198.51.100.1", nil, "198.51.100.1"},
		"direct, with a forged header":  {"198.51.100.1", []string{"203.0.113.9"}, "198.51.100.1"},
		"gateway in this process":       {"", []string{"198.51.100.1"}, "198.51.100.1"},
		"gateway, with a forged header": {"", []string{"203.0.113.9, 198.51.100.1"}, "198.51.100.1"},
		"gateway behind a proxy":        {"", []string{"203.0.113.9, 198.51.100.1, 192.0.2.7"}, "198.51.100.1"},
		"remote gateway behind a proxy": {"10.1.2.3", []string{"203.0.113.9, 198.51.100.1,10.9.9.9"}, "198.51.100.1"},
		"two headers":                   {"10.1.2.3", []string{"203.0.113.9", "198.51.100.1"}, "198.51.100.1"},
		"proxy without a header":        {"10.1.2.3", nil, "10.1.2.3"},
		"proxy with an invalid header":  {"10.1.2.3", []string{"198.51.100.1, unknown"}, "10.1.2.3"},
		"IPv6 network":                  {"2001:db8:1:2:3:4:5:6", nil, "2001:db8:1:2::/64"},
		"IPv4 in IPv6":                  {"::ffff:10.1.2.3", []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		"IPv6 proxy":                    {"fd00::1", []string{"2001:db8:1:2:3:4:5:6"}, "2001:db8:1:2::/64"},
		"call from this process":        {"", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var from net.Addr = &net.UnixAddr{Name: "here"}
			if tt.peer != "" {
				from = &net.TCPAddr{IP: net.ParseIP(tt.peer), Port: 1}
			}
			ctx := peer.NewContext(context.Background(), &peer.Peer{Addr: from})
			ctx = metadata.NewIncomingContext(ctx, metadata.MD{forwardedHeader: tt.forwarded})
			if got := proxies.ClientAddress(ctx); got != tt.want {
				t.Errorf("client address %q, want %q", got, tt.want)
			}
			limited := tt.want
			if strings.HasPrefix(name, "proxy ") { // Its clients share the address.
				limited = ""
			}
			if got := proxies.LimitedAddress(ctx); got != limited {
				t.Errorf("limited address %q, want %q", got, limited)
			}
		})
	}
}

func TestReadProxiesRejects(t *testing.T) {
	for _, text := range []string{"", "proxy.example", "10.0.0.0/33", "10.0.0.1:80"} {
		if _, err := ReadProxies([]string{text}); err == nil {
			t.Errorf("ReadProxies accepted %q", text)
		}
	}
}
