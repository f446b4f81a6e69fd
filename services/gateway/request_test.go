package gateway

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// invalid returns the failure of an invalid request.
func invalid(reason, field, message string) failure {
	if field != "" {
		message = field + ": " + message
	}
	return failure{http.StatusBadRequest, int(codes.InvalidArgument), reason, field, message}
}

func TestInvalidBodies(t *testing.T) {
	t.Parallel()
	const (
		notObject = "invalid value: it must be an object"
		int32Only = "invalid value: use a 32-bit integer"
		gameField = "unknown field: use setup, seats, visibility, requestId, timeControl"
		nearSetup = "unknown field: did you mean setup? Allowed: setup, seats, visibility, requestId, timeControl"
	)
	conflict := func(field string) string { return "conflicts with " + field + ": set only one of them" }
	syntax := func(line, column int) string {
		return fmt.Sprintf("invalid JSON at line %d, column %d: send one object", line, column)
	}
	tests := []struct {
		name, body string
		want       failure
	}{
		{"an unknown field", `{"foo":1}`, invalid("UNKNOWN_FIELD", "foo", gameField)},
		{"an unknown field deep inside", `{"setup":{"reversi":{"hexagon":{"rings":5,"ring":5}}}}`, invalid("UNKNOWN_FIELD", "setup.reversi.hexagon.ring", "unknown field: did you mean rings? Allowed: rings")},
		{"an unknown field in a list", `{"seats":[{"open":{}},{"robot":{"strength":5}}]}`, invalid("UNKNOWN_FIELD", "seats[1].robot.strength", "unknown field: use strategy, provider, seed, options")},
		{"an unknown field in another case", `{"Setup":{}}`, invalid("UNKNOWN_FIELD", "Setup", nearSetup)},
		{"an unknown field with a long name", `{"` + strings.Repeat("x", 100) + `":1}`, invalid("UNKNOWN_FIELD", strings.Repeat("x", 64)+"…", gameField)},
		{"text for a number", `{"setup":{"reversi":{"minFlips":"many"}}}`, invalid("INVALID_FIELD", "setup.reversi.minFlips", int32Only)},
		{"a number out of range", `{"setup":{"reversi":{"minFlips":3000000000}}}`, invalid("INVALID_FIELD", "setup.reversi.minFlips", int32Only)},
		{"a fraction", `{"setup":{"reversi":{"minFlips":1.5}}}`, invalid("INVALID_FIELD", "setup.reversi.minFlips", int32Only)},
		{"an unknown value of an enum", `{"visibility":"VISIBILITY_SOME"}`, invalid("INVALID_FIELD", "visibility", "invalid value: use VISIBILITY_PUBLIC, VISIBILITY_LINK, VISIBILITY_PRIVATE")},
		{"an unknown value in a list", `{"setup":{"threeTrios":{"rules":["RULE_SAME","RULE_OTHER"]}}}`, invalid("INVALID_FIELD", "setup.threeTrios.rules", "invalid value: use RULE_DEFAULT, RULE_REVERSE, RULE_FALLEN_ACE, RULE_SAME, RULE_PLUS")},
		{"an invalid duration", `{"seats":[{"robot":{"strategy":{"alphaBeta":{"maxTime":"soon"}}}}]}`, invalid("INVALID_FIELD", "seats[0].robot.strategy.alphaBeta.maxTime", "invalid value: use a duration such as 1.5s")},
		{"a list for an object", `{"setup":[]}`, invalid("INVALID_FIELD", "setup", notObject)},
		{"an object for a list", `{"seats":{}}`, invalid("INVALID_FIELD", "seats", "invalid value: it must be an array")},
		{"a number in a list of objects", `{"seats":[7]}`, invalid("INVALID_FIELD", "seats[0]", notObject)},
		{"text that is not UTF-8", "{\"requestId\":\"\xff\"}", invalid("INVALID_FIELD", "requestId", "invalid value: use a string in UTF-8")},
		{"a field twice", `{"requestId":"a","requestId":"b"}`, invalid("INVALID_FIELD", "requestId", conflict("requestId"))},
		{"a field under both its names", `{"requestId":"a","request_id":"b"}`, invalid("INVALID_FIELD", "request_id", conflict("requestId"))},
		{"two of one choice", `{"setup":{"reversi":{},"threeTrios":{}}}`, invalid("INVALID_FIELD", "setup.threeTrios", conflict("reversi"))},
		{"a list", `[]`, invalid("INVALID_FIELD", "body", notObject)},
		{"a number", `5`, invalid("INVALID_FIELD", "body", notObject)},
		{"null", `null`, invalid("INVALID_FIELD", "body", notObject)},
		{"a second value", `{} {}`, invalid("INVALID_FIELD", "body", syntax(1, 4))},
		{"text after the value", "{}\nfoo", invalid("INVALID_FIELD", "body", syntax(2, 1))},
		{"half a value", `{"setup":`, invalid("INVALID_FIELD", "body", syntax(1, 9))},
		{"no JSON", `setup=hex`, invalid("INVALID_FIELD", "body", syntax(1, 1))},
		{"objects in each other without end", strings.Repeat(`{"seats":[`, 6000), invalid("INVALID_FIELD", "body", syntax(1, 50001))},
	}
	s := &services{}
	server := start(t, s)
	for _, test := range tests {
		if diff := cmp.Diff(test.want, errorIn(t, do(t, server, post("/v1/games", test.body)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if s.count() > 0 {
		t.Errorf("%d calls reached the service", s.count())
	}
}

func TestNestedBodies(t *testing.T) {
	t.Parallel()
	s := &services{}
	server := start(t, s)
	nested := func(deep int) string { // The body is the first object, its strategy the second.
		return `{"strategy":` + strings.Repeat(`{"minimax":{"assumed":`, deep/2-1) + `{}` + strings.Repeat(`}}`, deep/2-1) + `}`
	}
	if a := do(t, server, post("/v1/games/g:setRobot", nested(100))); a.StatusCode != http.StatusOK {
		t.Errorf("100 deep: %d %s", a.StatusCode, a.body)
	}
	want := invalid("INVALID_FIELD", "body", "objects nest too deep: at most 100 levels are allowed")
	for _, deep := range []int{102, 8000} {
		if diff := cmp.Diff(want, errorIn(t, do(t, server, post("/v1/games/g:setRobot", nested(deep))))); diff != "" {
			t.Errorf("%d deep (-want +got):\n%s", deep, diff)
		}
	}
}

func TestEmptyBody(t *testing.T) {
	t.Parallel()
	for _, r := range []request{
		{"POST", "/v1/games/g1:resign", "", nil},
		post("/v1/games/g1:resign", ""),
		post("/v1/games/g1:resign", " \r\n\t"),
		post("/v1/games/g1:resign", "{}"),
		post("/v1/games/g1:resign", `{"side":null}`),
	} {
		s := &services{}
		if a := do(t, start(t, s), r); a.StatusCode != http.StatusOK || s.last(t).in.(*gamev1.ResignRequest).GetGameId() != "g1" {
			t.Errorf("%q: %d %s", r.body, a.StatusCode, a.body)
		}
	}
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	server := start(t, &services{})
	for _, test := range []struct {
		header []string
		want   int
	}{
		{nil, 200},
		{[]string{"Content-Type", "application/json"}, 200},
		{[]string{"Content-Type", "application/json; charset=utf-8"}, 200},
		{[]string{"Content-Type", "Application/JSON"}, 200},
		{[]string{"Content-Type", "application/json", "Content-Encoding", "identity"}, 200},
		{[]string{"Content-Type", "application/json; charset=latin1"}, 415},
		{[]string{"Content-Type", "application/json", "Content-Encoding", "gzip"}, 415},
		{[]string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
		{[]string{"Content-Type", "text/plain"}, 415},
		{[]string{"Content-Type", "invalid; ;"}, 415},
	} {
		a := do(t, server, request{"POST", "/v1/players", "{}", test.header})
		if a.StatusCode != test.want {
			t.Errorf("%q: %d, want %d", test.header, a.StatusCode, test.want)
		}
		if test.want != 415 {
			continue
		}
		if got := errorIn(t, a); got.Code != int(codes.InvalidArgument) || got.Reason != "UNSUPPORTED_MEDIA_TYPE" {
			t.Errorf("%q: %+v", test.header, got)
		}
	}
}

func TestLargeBodies(t *testing.T) {
	t.Parallel()
	sized := func(size int) string {
		const frame = `{"displayName":""}`
		return fmt.Sprintf(`{"displayName":"%s"}`, strings.Repeat("x", size-len(frame)))
	}
	want := failure{413, int(codes.InvalidArgument), "BODY_TOO_LARGE", "", "the request is too large: at most 1048576 bytes are allowed"}
	server := start(t, &services{})
	if a := do(t, server, post("/v1/players", sized(1<<20))); a.StatusCode != http.StatusOK {
		t.Errorf("1 MiB: %d %s", a.StatusCode, a.body)
	}
	if diff := cmp.Diff(want, errorIn(t, do(t, server, post("/v1/players", sized(1<<20+1))))); diff != "" {
		t.Errorf("one byte more (-want +got):\n%s", diff)
	}
	// A body without a length is read up to the limit.
	unsized := struct{ io.Reader }{bytes.NewReader([]byte(sized(1<<20 + 1)))}
	resp, err := server.Client().Post(server.URL+"/v1/players", "application/json", unsized)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if diff := cmp.Diff(want, errorIn(t, response{resp, string(body)})); diff != "" {
		t.Errorf("without a length (-want +got):\n%s", diff)
	}
}

func TestInvalidQueries(t *testing.T) {
	t.Parallel()
	const (
		none      = "unknown query parameter: none is allowed here"
		list      = "unknown query parameter: use state, kind, playerId, pageSize, pageToken"
		near      = "unknown query parameter: did you mean pageSize? Allowed: state, kind, playerId, pageSize, pageToken"
		twice     = "duplicate query parameter: send it once"
		int32Only = "invalid value: use a 32-bit integer"
		malformed = "malformed query: use name=value pairs joined by &"
	)
	server := start(t, &services{})
	for _, test := range []struct {
		request
		want failure
	}{
		{get("/v1/games/g1/board?formt=FORMAT_TEXT"), invalid("UNKNOWN_FIELD", "formt",
			"unknown query parameter: did you mean format? Allowed: format, version, selected, labels, hints, theme, card")},
		{get("/v1/games?foo=1"), invalid("UNKNOWN_FIELD", "foo", list)},
		{get("/v1/games?page_size=1"), invalid("UNKNOWN_FIELD", "page_size", near)},
		{get("/v1/games?PageSize=1"), invalid("UNKNOWN_FIELD", "PageSize", near)},
		{get("/v1/games?pageSize.x=1"), invalid("UNKNOWN_FIELD", "pageSize.x", near)},
		{get("/v1/games?pageSize[x]=1"), invalid("UNKNOWN_FIELD", "pageSize[x]", near)},
		{get("/v1/games/g1?gameId=g2"), invalid("UNKNOWN_FIELD", "gameId", none)},
		{get("/v1/games/g1?%ff=1"), invalid("UNKNOWN_FIELD", "\uFFFD", none)},
		{get("/v1/games/g1?x"), invalid("UNKNOWN_FIELD", "x", none)},
		{get("/v1/games/g1:watch?foo=1"), invalid("UNKNOWN_FIELD", "foo", "unknown query parameter: use afterVersion")},
		{post("/v1/games?visibility=VISIBILITY_LINK", "{}"), invalid("UNKNOWN_FIELD", "visibility", none)},
		{get("/v1/games?pageSize=1&pageSize=2"), invalid("INVALID_FIELD", "pageSize", twice)},
		{get("/v1/games?playerId=a&playerId=a"), invalid("INVALID_FIELD", "playerId", twice)},
		{get("/v1/games?pageSize=ten"), invalid("INVALID_FIELD", "pageSize", int32Only)},
		{get("/v1/games?pageSize="), invalid("INVALID_FIELD", "pageSize", int32Only)},
		{get("/v1/games?pageSize=2147483648"), invalid("INVALID_FIELD", "pageSize", int32Only)},
		{get("/v1/games?state=ACTIVE"), invalid("INVALID_FIELD", "state", "invalid value: use GAME_STATE_WAITING, GAME_STATE_ACTIVE, GAME_STATE_FINISHED, GAME_STATE_ABORTED")},
		{get("/v1/games?playerId=%ff"), invalid("INVALID_FIELD", "playerId", "invalid value: use a string in UTF-8")},
		{get("/v1/games/g1/board?labels=perhaps"), invalid("INVALID_FIELD", "labels", "invalid value: use true or false")},
		{get("/v1/games/g1/events?wait=50"), invalid("INVALID_FIELD", "wait", "invalid value: use a duration such as 1.5s")},
		{get("/v1/games/g1:watch?afterVersion=x"), invalid("INVALID_FIELD", "afterVersion", int32Only)},
		{get("/v1/games?pageSize=%zz"), invalid("INVALID_FIELD", "query", malformed)},
		{get("/v1/games?a;b"), invalid("INVALID_FIELD", "query", malformed)},
		{get("/v1/games/%ff"), invalid("INVALID_FIELD", "path", "invalid path: it must be UTF-8")},
	} {
		if diff := cmp.Diff(test.want, errorIn(t, do(t, server, test.request))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.path, diff)
		}
	}
}

func TestPathAndBodyMustAgree(t *testing.T) {
	t.Parallel()
	s := &services{}
	server := start(t, s)
	want := invalid("INVALID_FIELD", "gameId", "path and body disagree: leave it out of the body")
	if diff := cmp.Diff(want, errorIn(t, do(t, server, post("/v1/games/g1:resign", `{"gameId":"g2"}`)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a := do(t, server, post("/v1/games/g1:resign", `{"gameId":"g1"}`)); a.StatusCode != http.StatusOK {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	const key = "0b7c9d1e-1111-4222-8333-444455556666"
	s := &services{}
	server := start(t, s)
	for _, header := range []string{key, `"` + key + `"`} {
		for _, body := range []string{`{"notation":"d3"}`, `{"notation":"d3","requestId":"` + key + `"}`} {
			do(t, server, post("/v1/games/g1/moves", body, "Idempotency-Key", header))
			if got := s.last(t).in.(*gamev1.PlayMoveRequest).GetRequestId(); got != key {
				t.Errorf("%s with %s: request id %q", body, header, got)
			}
		}
	}
	if got := s.last(t).header.Get("idempotency-key"); got != nil {
		t.Errorf("the header is forwarded beside the field: %q", got)
	}
	want := invalid("INVALID_FIELD", "requestId", "body and header Idempotency-Key disagree: send only one of them")
	got := errorIn(t, do(t, server, post("/v1/games/g1/moves", `{"requestId":"other"}`, "Idempotency-Key", key)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("different ids (-want +got):\n%s", diff)
	}
	// Calls without a request id ignore the header.
	if a := do(t, server, post("/v1/players", `{}`, "Idempotency-Key", key)); a.StatusCode != http.StatusOK {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}
