package gateway

import (
	"bytes"
	"context"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/cache"
)

const (
	// previewTime is the time for which a preview is cached. Sites that show links keep it far longer.
	previewTime = 30 * time.Second
	// previewTimeout limits the wait for a preview, since people wait for the same page.
	previewTimeout = 2 * time.Second
	// previewsWeight is the weight of the cache of previews in the memory budget.
	previewsWeight = 2
)

// previews describes games to sites that show a link to them.
type previews struct {
	games  gamev1.GameServiceClient
	cached *cache.Cache[previewKey, preview]
	now    func() time.Time
}

type previewKey struct {
	game    string
	picture bool
}

type preview struct {
	*gamev1.PreviewGameResponse
	until time.Time
}

func newPreviews(games gamev1.GameServiceClient, caches *cache.Budget) *previews {
	size := func(key previewKey, p preview) int {
		const headers = 200
		return headers + len(key.game) + len(p.GetTitle()) + len(p.GetDescription()) + len(p.GetPicture())
	}
	return &previews{games, cache.New(caches, "gateway_previews", previewsWeight, size), time.Now}
}

// get returns the preview of a game that everyone with its link may see, or the error of Game.
func (p *previews) get(ctx context.Context, key previewKey) (*gamev1.PreviewGameResponse, error) {
	if found, ok := p.cached.Get(key); ok && p.now().Before(found.until) {
		return found.PreviewGameResponse, nil
	}
	request := &gamev1.PreviewGameRequest{GameId: key.game, Picture: key.picture}
	resp, err := p.games.PreviewGame(ctx, request)
	if err == nil {
		p.cached.Put(key, preview{resp, p.now().Add(previewTime)})
	}
	return resp, err
}

// addGamePage adds the page of a game with its Open Graph tags, and the picture that they name.
func (g *Gateway) addGamePage(board []byte) error {
	neutral, err := newDocument(board)
	if err != nil {
		return err
	}
	return g.mux.HandlePath(http.MethodGet, "/g/{game}", func(
		w http.ResponseWriter, r *http.Request, params map[string]string,
	) {
		id, isPicture := strings.CutSuffix(params["game"], ".png")
		found, err := g.preview(r, previewKey{id, isPicture})
		switch {
		case isPicture && err != nil:
			writeStatus(w, r, status.Convert(err))
		case isPicture:
			servePicture(w, r, found.GetPicture())
		case err != nil:
			neutral.serve(w, r, htmlType)
		default:
			content := withTags(board, found, r, id)
			document{content: content, etag: etagOf(content)}.serve(w, r, htmlType)
		}
	})
}

// preview asks Game for a preview without the key of the caller, since all callers share it.
func (g *Gateway) preview(r *http.Request, key previewKey) (*gamev1.PreviewGameResponse, error) {
	ctx, cancel := context.WithTimeout(r.Context(), previewTimeout)
	defer cancel()
	anonymous := r.WithContext(ctx)
	anonymous.Header = r.Header.Clone()
	anonymous.Header.Del(authHeader)
	anonymous.Header.Del(behalfHeader)
	const method = gamev1.GameService_PreviewGame_FullMethodName
	ctx, err := runtime.AnnotateContext(ctx, g.mux, anonymous, method)
	if err != nil {
		return nil, err
	}
	return g.previews.get(ctx, key)
}

func servePicture(w http.ResponseWriter, r *http.Request, picture []byte) {
	w.Header().Set(contentTypeHeader, "image/png")
	w.Header().Set(etagHeader, etagOf(picture))
	w.Header().Set("Cache-Control", "public, max-age=30")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(picture))
}

// openGraph holds the tags of a game, as in https://ogp.me.
var openGraph = template.Must(template.New("tags").Parse(
	`<meta property="og:type" content="website">
<meta property="og:site_name" content="Flipside">
<meta property="og:title" content="{{.Title}}">
<meta property="og:description" content="{{.Description}}">
<meta property="og:url" content="{{.URL}}">
<meta property="og:image" content="{{.URL}}.png">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="{{.Title}}">
<meta name="twitter:card" content="summary_large_image">
`))

// withTags returns the page of the board with the tags of a game.
func withTags(board []byte, found *gamev1.PreviewGameResponse, r *http.Request, id string) []byte {
	scheme := "http"
	if r.TLS != nil || r.Header.Get(forwardedProtoHeader) == "https" {
		scheme = "https"
	}
	var tags bytes.Buffer
	_ = openGraph.Execute(&tags, map[string]string{
		"Title": found.GetTitle(), "Description": found.GetDescription(),
		"URL": scheme + "://" + r.Host + "/g/" + id,
	}) // Neither the template nor the buffer can fail.
	return bytes.Replace(board, []byte("</head>"), append(tags.Bytes(), "</head>"...), 1)
}
