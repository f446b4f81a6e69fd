package apitest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flipside-games/flipside/services/app"
	"github.com/flipside-games/flipside/services/internal/tokens/tokenstest"
)

// The test sends a NUL character in every text of every call.
func TestTextsWithNUL(t *testing.T) {
	t.Parallel()
	overTransports(t, startServer(t, nil), func(t *testing.T, s *scene) {
		sent := 0
		for _, r := range rpcs() {
			for _, path := range textPaths(nil, r.Input()) {
				in := r.request()
				if id := r.Input().Fields().ByName("game_id"); id != nil {
					in.ProtoReflect().Set(id, protoreflect.ValueOfString("a"))
				}
				at := setText(in.ProtoReflect(), path, "a\x00b")
				got := s.via.call(s, s.server, r, s.headers(ann), in)
				t.Run(string(r.Name())+"."+at, func(t *testing.T) { invalidField.at(at).check(t, got) })
				sent++
			}
		}
		if sent < 50 {
			t.Errorf("%d texts were sent", sent)
		}
	})
}

// textPaths returns the paths to all strings in a message. It follows no message into itself, and no
// map: other cases send the options of robots, the only maps.
func textPaths(to []protoreflect.FieldDescriptor, d protoreflect.MessageDescriptor) (all [][]protoreflect.FieldDescriptor) {
	for i := range d.Fields().Len() {
		field := d.Fields().Get(i)
		path := append(slices.Clone(to), field)
		switch inner := field.Message(); {
		case field.IsMap():
		case field.Kind() == protoreflect.StringKind:
			all = append(all, path)
		case inner == nil || slices.ContainsFunc(to, func(f protoreflect.FieldDescriptor) bool { return f.Message() == inner }):
		default:
			all = append(all, textPaths(path, inner)...)
		}
	}
	return all
}

// setText sets the string at a path and returns the path in JSON.
func setText(m protoreflect.Message, path []protoreflect.FieldDescriptor, text string) string {
	var names []string
	for _, field := range path {
		name := field.JSONName()
		switch {
		case field.IsList() && field.Message() != nil:
			name += "[0]"
			m = m.Mutable(field).List().AppendMutable().Message()
		case field.IsList():
			name += "[0]"
			m.Mutable(field).List().Append(protoreflect.ValueOfString(text))
		case field.Message() != nil:
			m = m.Mutable(field).Message()
		default:
			m.Set(field, protoreflect.ValueOfString(text))
		}
		names = append(names, name)
	}
	return strings.Join(names, ".")
}

// No text that reaches a store makes it unavailable.
func TestTextsThatNoStoreStores(t *testing.T) {
	t.Parallel()
	for store, use := range map[string]func(*testing.T) changeSettings{"SQLite": sqlite, "PostgreSQL": postgres} {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			issuer := tokenstest.New(t)
			server := startServer(t, use(t).and(func(s *app.Settings) {
				s.OIDCIssuers, s.OIDCAudiences = []string{issuer.URL}, []string{audience}
			}))
			s := &scene{T: t, server: server, via: overREST{}}
			bearer := func(key string) map[string]string { return map[string]string{"authorization": "Bearer " + key} }
			onBehalf := func(user string) map[string]string {
				return map[string]string{"authorization": "Bearer " + serviceKey, "flipside-on-behalf-of": user}
			}
			for _, c := range []struct {
				name, target string
				headers      map[string]string
				want         want
			}{
				{"a game id with NUL", "/v1/games/a%00b", s.headers(ann), invalidField.at("gameId")},
				{"a game id that is not UTF-8", "/v1/games/a%ffb", s.headers(ann), invalidField.at("path")},
				{"a player id with NUL", "/v1/games?playerId=a%00b", s.headers(ann), invalidField.at("playerId")},
				{"a page token with NUL", "/v1/games?pageToken=a%00b", s.headers(ann), invalidField.at("pageToken")},
				{"a key that is not UTF-8", "/v1/players/me", bearer("flk_\xff_c2VjcmV0"), invalidKey},
				{"a user that is not UTF-8", "/v1/players/me", onBehalf("\xff"), invalidField.at("Flipside-On-Behalf-Of")},
				{"a subject with NUL", "/v1/players/me", bearer(issuer.Token(t, issuer.Claims(audience, "a\x00b", nil))), invalidKey},
				{"a name with NUL", "/v1/players/me", bearer(issuer.Token(t, issuer.Claims(audience, "tom", map[string]any{"name": "a\x00b"}))), ok},
			} {
				t.Run(c.name, func(t *testing.T) {
					resp := server.do(t, "GET", c.target, c.headers, nil)
					defer resp.Body.Close()
					got := &answer{http: resp.StatusCode, header: resp.Header}
					if resp.StatusCode != http.StatusOK {
						got.status = readStatus(t, resp.Body)
					}
					c.want.check(t, got)
				})
			}
		})
	}
}
