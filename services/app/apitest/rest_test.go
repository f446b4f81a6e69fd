package apitest

import (
	"net/http"
	"strings"
	"testing"

	"google.golang.org/grpc/status"
)

// restCase is a request with an error that only REST has.
type restCase struct {
	name    string
	verb    string
	target  string
	headers map[string]string
	body    string
	want    want
}

// ann makes the calls; {game} stands for one of her games.
var restCases = []restCase{
	{"an unknown field", "POST", "/v1/games", nil, `{"setup":{"reversi":{}},"colour":"red"}`,
		unknownField.at("colour").with("field", "colour")},
	{"an unknown nested field", "POST", "/v1/games/{game}/moves", nil, `{"move":{"place":{"cell":{"square":{"x":1}}}}}`,
		unknownField.at("move.place.cell.square.x").with("field", "move.place.cell.square.x")},
	{"a field of another call", "POST", "/v1/games/{game}:abort", nil, `{"side":"SIDE_FIRST"}`, unknownField.at("side")},
	{"an unknown parameter", "GET", "/v1/games?page=2", nil, "", unknownField.at("page").with("field", "page")},
	{"a parameter of the path in the query", "GET", "/v1/games/{game}?gameId=x", nil, "", unknownField.at("gameId")},
	{"a parameter beside a body", "POST", "/v1/games/{game}:resign?side=SIDE_FIRST", nil, `{}`, unknownField.at("side")},
	{"a duplicate parameter", "GET", "/v1/games?pageSize=1&pageSize=2", nil, "", invalidField.at("pageSize")},
	{"a parameter that is not a number", "GET", "/v1/games?pageSize=ten", nil, "", invalidField.at("pageSize")},
	{"a parameter that is not a duration", "GET", "/v1/games/{game}/events?wait=soon", nil, "", invalidField.at("wait")},
	{"a number that is too large", "GET", "/v1/games?pageSize=2147483648", nil, "", invalidField.at("pageSize")},
	{"an unknown enum value", "POST", "/v1/games", nil, `{"setup":{"reversi":{"passRule":"NEVER"}}}`,
		invalidField.at("setup.reversi.passRule")},
	{"two fields of a oneof", "POST", "/v1/games", nil, `{"setup":{"reversi":{},"threeTrios":{}}}`, invalidField.at("setup.threeTrios")},
	{"text instead of a number", "POST", "/v1/games/{game}/moves", nil, `{"expectedVersion":"two"}`, invalidField.at("expectedVersion")},
	{"no JSON", "POST", "/v1/games", nil, "setup=reversi", invalidField.at("body").with("line", "1").with("column", "1")},
	{"incomplete JSON", "POST", "/v1/games", nil, `{"setup":`, invalidField.at("body")},
	{"a second value", "POST", "/v1/games", nil, `{"setup":{"reversi":{}}} {}`, invalidField.at("body")},
	{"JSON without an object", "POST", "/v1/games", nil, `[]`, invalidField.at("body")},
	{"another game in the body", "POST", "/v1/games/{game}/moves", nil, `{"gameId":"another","notation":"d3"}`, invalidField.at("gameId")},
	{"two request ids", "POST", "/v1/games", map[string]string{"Idempotency-Key": "5b0f2d5e-7c3a-4f6e-9c1d-000000000001"},
		`{"setup":{"reversi":{}},"requestId":"5b0f2d5e-7c3a-4f6e-9c1d-000000000002"}`, invalidField.at("requestId")},
	{"a key of another scheme", "GET", "/v1/players/me", map[string]string{"Authorization": "Basic YW5uOmFubg=="}, "", invalidKey},
	{"a deadline that has passed", "GET", "/v1/players/me", map[string]string{"Grpc-Timeout": "1n"}, "", deadlineExceeded},
	{"an unknown field that is near a known one", "POST", "/v1/games/{game}/moves", nil, `{"notaton":"d3"}`,
		unknownField.at("notaton").with("nearest", "notation")},
	{"a body of more than 1 MiB", "POST", "/v1/games", nil, `{"x":"` + strings.Repeat("y", 1<<20) + `"}`, bodyTooLarge.with("limit", "1048576")},
	{"a form", "POST", "/v1/games", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, "setup=reversi",
		unsupportedMedia.with("contentType", "application/x-www-form-urlencoded")},
	{"a compressed body", "POST", "/v1/games", map[string]string{"Content-Encoding": "gzip"}, `{}`, unsupportedMedia},
	{"an unknown path", "GET", "/v1/boards", nil, "", unknownPath.with("path", "/v1/boards")},
	{"an unknown verb", "POST", "/v1/games/{game}:undo", nil, `{}`, unknownPath},
	{"POST to a read", "POST", "/v1/games/{game}", nil, `{}`, methodNotAllowed.with("allow", "GET, HEAD")},
	{"GET to a change", "GET", "/v1/games/{game}:resign", nil, "", methodNotAllowed.with("allow", "POST")},
	{"DELETE", "DELETE", "/v1/games/{game}", nil, "", methodNotAllowed.with("allow", "GET, HEAD")},
}

func TestREST(t *testing.T) {
	t.Parallel()
	server := startServer(t, nil)
	for _, c := range restCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &scene{T: t, server: server, via: overREST{}}
			s.game = two(s)
			headers := s.headers(ann)
			for name, value := range c.headers {
				delete(headers, strings.ToLower(name))
				headers[name] = value
			}
			resp := server.do(t, c.verb, strings.ReplaceAll(c.target, "{game}", s.game), headers, []byte(c.body))
			defer resp.Body.Close()
			got := &answer{status: status.New(0, ""), http: resp.StatusCode, header: resp.Header}
			if resp.StatusCode != http.StatusOK {
				got.status = readStatus(t, resp.Body)
			}
			c.want.check(t, got)
			if allow := resp.Header.Get("Allow"); allow != c.want.meta["allow"] {
				t.Errorf("Allow is %q", allow)
			}
		})
	}
}
