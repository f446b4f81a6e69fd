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

// invalid is the failure of a malformed request.
func invalid(reason, field, message string) failure {
	if field != "" {
		message = field + ": " + message
	}
	return failure{http.StatusBadRequest, int(codes.InvalidArgument), reason, field, message}
}

func TestBodiesAreStrict(t *testing.T) {
	t.Parallel()
	const notObject, noField = "an object is needed", "there is no such field"
	one := func(what string) string { return "only one is possible, and " + what + " is there already" }
	tests := []struct {
		name, body string
		want       failure
	}{
		{"an unknown field", `{"foo":1}`, invalid("UNKNOWN_FIELD", "foo", noField)},
		{"an unknown field deep inside", `{"setup":{"reversi":{"hexagon":{"rings":5,"ring":5}}}}`, invalid("UNKNOWN_FIELD", "setup.reversi.hexagon.ring", noField)},
		{"an unknown field in a list", `{"seats":[{"open":{}},{"robot":{"strength":5}}]}`, invalid("UNKNOWN_FIELD", "seats[1].robot.strength", noField)},
		{"an unknown field in another case", `{"Setup":{}}`, invalid("UNKNOWN_FIELD", "Setup", noField)},
		{"an unknown field with a long name", `{"` + strings.Repeat("x", 100) + `":1}`, invalid("UNKNOWN_FIELD", strings.Repeat("x", 64)+"…", noField)},
		{"text for a number", `{"setup":{"reversi":{"minFlips":"many"}}}`, invalid("INVALID_FIELD", "setup.reversi.minFlips", "the value is not one of the type int32")},
		{"a number out of range", `{"setup":{"reversi":{"minFlips":3000000000}}}`, invalid("INVALID_FIELD", "setup.reversi.minFlips", "the value is not one of the type int32")},
		{"a fraction", `{"setup":{"reversi":{"minFlips":1.5}}}`, invalid("INVALID_FIELD", "setup.reversi.minFlips", "the value is not one of the type int32")},
		{"an unknown value of an enum", `{"visibility":"VISIBILITY_SOME"}`, invalid("INVALID_FIELD", "visibility", "the value is not one of the type Visibility")},
		{"an unknown value in a list", `{"setup":{"threeTrios":{"rules":["RULE_SAME","RULE_OTHER"]}}}`, invalid("INVALID_FIELD", "setup.threeTrios.rules", "the value is not one of the type Rule")},
		{"a duration that is none", `{"seats":[{"robot":{"strategy":{"alphaBeta":{"maxTime":"soon"}}}}]}`, invalid("INVALID_FIELD", "seats[0].robot.strategy.alphaBeta.maxTime", "the value is not one of the type Duration")},
		{"a list for an object", `{"setup":[]}`, invalid("INVALID_FIELD", "setup", notObject)},
		{"an object for a list", `{"seats":{}}`, invalid("INVALID_FIELD", "seats", "an array is needed")},
		{"a number in a list of objects", `{"seats":[7]}`, invalid("INVALID_FIELD", "seats[0]", notObject)},
		{"text that is not UTF-8", "{\"requestId\":\"\xff\"}", invalid("INVALID_FIELD", "requestId", "the value is not one of the type string")},
		{"a field twice", `{"requestId":"a","requestId":"b"}`, invalid("INVALID_FIELD", "requestId", one("requestId"))},
		{"a field under both its names", `{"requestId":"a","request_id":"b"}`, invalid("INVALID_FIELD", "request_id", one("requestId"))},
		{"two of one choice", `{"setup":{"reversi":{},"threeTrios":{}}}`, invalid("INVALID_FIELD", "setup.threeTrios", one("reversi"))},
		{"a list", `[]`, invalid("INVALID_FIELD", "body", notObject)},
		{"a number", `5`, invalid("INVALID_FIELD", "body", notObject)},
		{"null", `null`, invalid("INVALID_FIELD", "body", notObject)},
		{"a second value", `{} {}`, invalid("INVALID_FIELD", "body", "the body is not one JSON value: line 1, column 4")},
		{"rubbish after it", "{}\nfoo", invalid("INVALID_FIELD", "body", "the body is not one JSON value: line 2, column 1")},
		{"half a value", `{"setup":`, invalid("INVALID_FIELD", "body", "the body is not one JSON value: line 1, column 9")},
		{"no JSON", `setup=hex`, invalid("INVALID_FIELD", "body", "the body is not one JSON value: line 1, column 1")},
		{"objects in each other without end", strings.Repeat(`{"seats":[`, 6000), invalid("INVALID_FIELD", "body", "the body is not one JSON value: line 1, column 50001")},
	}
	s := &services{}
	server := start(t, s)
	for _, test := range tests {
		if diff := cmp.Diff(test.want, errorIn(t, do(t, server, post("/v1/games", test.body)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if s.count() > 0 {
		t.Errorf("%d of the calls reached the service", s.count())
	}
}

func TestBodiesNestOnlySoDeep(t *testing.T) {
	t.Parallel()
	s := &services{}
	server := start(t, s)
	nested := func(deep int) string { // The body is the first object, its strategy the second.
		return `{"strategy":` + strings.Repeat(`{"minimax":{"assumed":`, deep/2-1) + `{}` + strings.Repeat(`}}`, deep/2-1) + `}`
	}
	if a := do(t, server, post("/v1/games/g:setRobot", nested(100))); a.StatusCode != http.StatusOK {
		t.Errorf("100 deep: %d %s", a.StatusCode, a.body)
	}
	want := invalid("INVALID_FIELD", "body", "objects are nested more than 100 deep")
	for _, deep := range []int{102, 8000} {
		if diff := cmp.Diff(want, errorIn(t, do(t, server, post("/v1/games/g:setRobot", nested(deep))))); diff != "" {
			t.Errorf("%d deep (-want +got):\n%s", deep, diff)
		}
	}
}

func TestAnEmptyBodyIsAnEmptyObject(t *testing.T) {
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
		{[]string{"Content-Type", "rubbish; ;"}, 415},
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

func TestBodiesHaveALimit(t *testing.T) {
	t.Parallel()
	sized := func(size int) string {
		const frame = `{"displayName":""}`
		return fmt.Sprintf(`{"displayName":"%s"}`, strings.Repeat("x", size-len(frame)))
	}
	want := failure{413, int(codes.InvalidArgument), "BODY_TOO_LARGE", "", "the body is larger than 1048576 bytes"}
	server := start(t, &services{})
	if a := do(t, server, post("/v1/players", sized(1<<20))); a.StatusCode != http.StatusOK {
		t.Errorf("1 MiB: %d %s", a.StatusCode, a.body)
	}
	if diff := cmp.Diff(want, errorIn(t, do(t, server, post("/v1/players", sized(1<<20+1))))); diff != "" {
		t.Errorf("one byte more (-want +got):\n%s", diff)
	}
	// Without a length the body is read until it is too long.
	unsized := struct{ io.Reader }{bytes.NewReader([]byte(sized(1<<20 + 1)))}
	resp, err := server.Client().Post(server.URL+"/v1/players", "application/json", unsized)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if diff := cmp.Diff(want, errorIn(t, answer{resp, string(body)})); diff != "" {
		t.Errorf("without a length (-want +got):\n%s", diff)
	}
}

func TestQueriesAreStrict(t *testing.T) {
	t.Parallel()
	const none, more = "there is no such query parameter", "the parameter is there more than once"
	server := start(t, &services{})
	for _, test := range []struct {
		request
		want failure
	}{
		{get("/v1/games?foo=1"), invalid("UNKNOWN_FIELD", "foo", none)},
		{get("/v1/games?page_size=1"), invalid("UNKNOWN_FIELD", "page_size", none)},
		{get("/v1/games?PageSize=1"), invalid("UNKNOWN_FIELD", "PageSize", none)},
		{get("/v1/games?pageSize.x=1"), invalid("UNKNOWN_FIELD", "pageSize.x", none)},
		{get("/v1/games?pageSize[x]=1"), invalid("UNKNOWN_FIELD", "pageSize[x]", none)},
		{get("/v1/games/g1?gameId=g2"), invalid("UNKNOWN_FIELD", "gameId", none)},
		{get("/v1/games/g1?%ff=1"), invalid("UNKNOWN_FIELD", "\uFFFD", none)},
		{get("/v1/games/g1?x"), invalid("UNKNOWN_FIELD", "x", none)},
		{get("/v1/games/g1:watch?foo=1"), invalid("UNKNOWN_FIELD", "foo", none)},
		{post("/v1/games?visibility=VISIBILITY_LINK", "{}"), invalid("UNKNOWN_FIELD", "visibility", none)},
		{get("/v1/games?pageSize=1&pageSize=2"), invalid("INVALID_FIELD", "pageSize", more)},
		{get("/v1/games?playerId=a&playerId=a"), invalid("INVALID_FIELD", "playerId", more)},
		{get("/v1/games?pageSize=ten"), invalid("INVALID_FIELD", "pageSize", "the value is not one of the type int32")},
		{get("/v1/games?pageSize="), invalid("INVALID_FIELD", "pageSize", "the value is not one of the type int32")},
		{get("/v1/games?pageSize=2147483648"), invalid("INVALID_FIELD", "pageSize", "the value is not one of the type int32")},
		{get("/v1/games?state=ACTIVE"), invalid("INVALID_FIELD", "state", "the value is not one of the type GameState")},
		{get("/v1/games?playerId=%ff"), invalid("INVALID_FIELD", "playerId", "the value is not one of the type string")},
		{get("/v1/games/g1/board?labels=perhaps"), invalid("INVALID_FIELD", "labels", "the value is not one of the type bool")},
		{get("/v1/games/g1/events?wait=50"), invalid("INVALID_FIELD", "wait", "the value is not one of the type Duration")},
		{get("/v1/games/g1:watch?afterVersion=x"), invalid("INVALID_FIELD", "afterVersion", "the value is not one of the type int32")},
		{get("/v1/games?pageSize=%zz"), invalid("INVALID_FIELD", "query", "the query is not well formed")},
		{get("/v1/games?a;b"), invalid("INVALID_FIELD", "query", "the query is not well formed")},
		{get("/v1/games/%ff"), invalid("INVALID_FIELD", "path", "the path is not UTF-8")},
	} {
		if diff := cmp.Diff(test.want, errorIn(t, do(t, server, test.request))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.path, diff)
		}
	}
}

func TestPathAndBodyAgree(t *testing.T) {
	t.Parallel()
	s := &services{}
	server := start(t, s)
	want := invalid("INVALID_FIELD", "gameId", "the path says otherwise")
	if diff := cmp.Diff(want, errorIn(t, do(t, server, post("/v1/games/g1:resign", `{"gameId":"g2"}`)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a := do(t, server, post("/v1/games/g1:resign", `{"gameId":"g1"}`)); a.StatusCode != http.StatusOK {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

func TestIdempotencyKeyIsTheRequestID(t *testing.T) {
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
		t.Errorf("the header is passed on beside the field: %q", got)
	}
	want := invalid("INVALID_FIELD", "requestId", "the header Idempotency-Key says otherwise")
	got := errorIn(t, do(t, server, post("/v1/games/g1/moves", `{"requestId":"other"}`, "Idempotency-Key", key)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("two different ones (-want +got):\n%s", diff)
	}
	// Calls that take no request id do not mind.
	if a := do(t, server, post("/v1/players", `{}`, "Idempotency-Key", key)); a.StatusCode != http.StatusOK {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}
