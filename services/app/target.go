package app

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
)

// listScheme is the scheme of the resolver for a list of addresses.
const listScheme = "list"

// resolveTarget returns the gRPC target and the dial options for the target in a setting: an
// address, several with commas between them, each as host:port, or a URL with the scheme dns or
// unix. The prefixes ipv4: and ipv6: are accepted before addresses.
func resolveTarget(text string) (target string, options []grpc.DialOption, err error) {
	scheme, _, isURL := strings.Cut(text, ":")
	switch {
	case scheme == "unix" || scheme == "unix-abstract":
		return text, nil, nil
	case scheme == "dns" || scheme == "passthrough":
		return text, nil, validateEndpoint(text)
	case isURL && strings.HasPrefix(text, scheme+"://"):
		return "", nil, fmt.Errorf("unknown scheme %q: use host:port or dns:///name:port", scheme)
	}
	list := strings.Split(strings.TrimPrefix(strings.TrimPrefix(text, "ipv4:"), "ipv6:"), ",")
	state := resolver.State{}
	for _, address := range list {
		if err := validateAddress(address); err != nil {
			return "", nil, err
		}
		// Each process proves its own name over TLS.
		state.Addresses = append(state.Addresses, resolver.Address{Addr: address, ServerName: address})
	}
	if len(list) == 1 {
		return "dns:///" + list[0], nil, nil
	}
	builder := manual.NewBuilderWithScheme(listScheme)
	builder.InitialState(state)
	return listScheme + ":///" + list[0], []grpc.DialOption{grpc.WithResolvers(builder)}, nil
}

// validateEndpoint rejects a URL whose endpoint is no address.
func validateEndpoint(text string) error {
	target, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("invalid URL %q: use host:port or dns:///name:port", text)
	}
	endpoint := target.Path
	if endpoint == "" {
		endpoint = target.Opaque
	}
	return validateAddress(strings.TrimPrefix(endpoint, "/"))
}

// validateAddress rejects an address that is not host:port.
func validateAddress(address string) error {
	host, port, err := net.SplitHostPort(address)
	number, portErr := strconv.ParseUint(port, 10, 16)
	if err != nil || portErr != nil || number == 0 || host == "" || strings.ContainsAny(host, " /") {
		return fmt.Errorf("invalid address %q: use host:port, several as host:port,host:port, "+
			"or dns:///name:port", address)
	}
	return nil
}
