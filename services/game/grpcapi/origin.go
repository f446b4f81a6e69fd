package grpcapi

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
)

// forwardedHeader lists from where a call came to each proxy on its way, the last one at the end.
const forwardedHeader = "x-forwarded-for"

// Proxies are those who are believed where the calls they pass on come from. The gateway in the same process always is.
type Proxies []netip.Prefix

// ReadProxies reads addresses and networks, such as 10.0.0.7 and 10.0.0.0/8.
func ReadProxies(texts []string) (Proxies, error) {
	var proxies Proxies
	for _, text := range texts {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			addr, notOne := netip.ParseAddr(text)
			if notOne != nil {
				return nil, fmt.Errorf("%q is no address and no network", text)
			}
			network = netip.PrefixFrom(addr, addr.BitLen())
		}
		proxies = append(proxies, network.Masked())
	}
	return proxies, nil
}

func (p Proxies) trusts(addr netip.Addr) bool {
	for _, network := range p {
		if network.Contains(addr) {
			return true
		}
	}
	return false
}

// origin names where a call comes from: an address of IPv4, or a network of IPv6 such as one customer has. It is "" for a
// call from within this process.
func (p Proxies) origin(ctx context.Context) string {
	at, network := remote(ctx)
	hops := strings.Split(strings.Join(metadata.ValueFromIncomingContext(ctx, forwardedHeader), ","), ",")
	for i := len(hops) - 1; i >= 0 && (!network || p.trusts(at)); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		at, network = hop.Unmap().WithZone(""), true
	}
	switch {
	case !network:
		return ""
	case at.Is4():
		return at.String()
	}
	return netip.PrefixFrom(at, 64).Masked().String()
}

// remote returns the address that a call came from, if it came from the network.
func remote(ctx context.Context) (addr netip.Addr, network bool) {
	from, ok := peer.FromContext(ctx)
	if !ok {
		return addr, false
	}
	tcp, network := from.Addr.(*net.TCPAddr)
	if network {
		addr = tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return addr, network
}
