package gateway

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// previewer returns services that preview the game "shared" and no other.
func previewer() *services {
	return &services{unary: func(_ context.Context, in proto.Message) (proto.Message, error) {
		req := in.(*gamev1.PreviewGameRequest)
		if req.GetGameId() != "shared" {
			return nil, serve.Status(fault.New(fault.GameNotFound, "no game %q", req.GetGameId())).Err()
		}
		resp := &gamev1.PreviewGameResponse{Title: `Reversi: "Black" to move`, Description: "Watch this game live."}
		if req.GetPicture() {
			resp.Picture = []byte("\x89PNG")
		}
		return resp, nil
	}}
}

func TestSharedLinkHasOpenGraphTags(t *testing.T) {
	t.Parallel()
	s := previewer()
	server := start(t, s)
	a := do(t, server, get("/g/shared", "X-Forwarded-Proto", "https", "Authorization", "Bearer mine", "User-Agent", "Twitterbot/1.0"))
	url := strings.Replace(server.URL, "http://", "https://", 1) + "/g/shared"
	for _, tag := range []string{
		`<meta property="og:title" content="Reversi: &#34;Black&#34; to move">`,
		`<meta property="og:description" content="Watch this game live.">`,
		`<meta property="og:url" content="` + url + `">`,
		`<meta property="og:image" content="` + url + `.png">`,
		"</head>",
	} {
		if strings.Count(a.body, tag) != 1 {
			t.Errorf("%s is missing in %s", tag, a.body)
		}
	}
	if got := s.last(t); len(got.header["authorization"]) > 0 || len(got.header["x-forwarded-for"]) == 0 {
		t.Errorf("headers %v, want the address of the visitor without their key", got.header)
	}
	if plain := do(t, server, get("/g/shared")); !strings.Contains(plain.body, `content="http://`) {
		t.Errorf("without TLS the tags are %s", plain.body)
	}
}

func TestSharedLinkHasPicture(t *testing.T) {
	t.Parallel()
	a := do(t, start(t, previewer()), get("/g/shared.png"))
	if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != "image/png" || a.body != "\x89PNG" {
		t.Errorf("%d %s %q, want the picture", a.StatusCode, a.Header.Get("Content-Type"), a.body)
	}
	if got := a.Header.Get("Cache-Control"); got != "public, max-age=30" {
		t.Errorf("Cache-Control %q", got)
	}
}

func TestLinkToAnotherGameShowsNothing(t *testing.T) {
	t.Parallel()
	server := start(t, previewer())
	page, menu := do(t, server, get("/g/private")), do(t, server, get("/"))
	if page.StatusCode != http.StatusOK || page.body != menu.body {
		t.Errorf("%d %s, want the page of the board without tags", page.StatusCode, page.body)
	}
	if got := errorIn(t, do(t, server, get("/g/private.png"))); got.Status != http.StatusNotFound || got.Reason != "GAME_NOT_FOUND" {
		t.Errorf("picture: %+v", got)
	}
}

func TestPreviewsAreCached(t *testing.T) {
	t.Parallel()
	s := previewer()
	server := start(t, s)
	g := server.Config.Handler.(*Gateway)
	now := g.previews.now()
	g.previews.now = func() time.Time { return now }
	for range 3 {
		do(t, server, get("/g/shared"))
		do(t, server, get("/g/shared.png"))
	}
	if s.count() != 2 {
		t.Errorf("%d calls, want one for the tags and one for the picture", s.count())
	}
	now = now.Add(previewTime)
	do(t, server, get("/g/shared"))
	if s.count() != 3 {
		t.Error("the cached preview does not expire")
	}
}
