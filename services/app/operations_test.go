package app

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"

	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// operations is the folder of the files for operators.
var operations = filepath.Join("..", "..", "docs", "operations")

// alertRules is a file of Prometheus rules.
type alertRules struct {
	Groups []struct {
		Name  string
		Rules []struct {
			Alert, Expr, For    string
			Labels, Annotations map[string]string
		}
	}
}

// dashboard is the part of a Grafana dashboard that the tests check.
type dashboard struct {
	Panels []struct {
		ID      int
		Type    string
		Title   string
		Targets []struct{ Expr string }
		GridPos struct{ X, Y, W, H int }
	}
}

// expressions returns the queries of the dashboard and the alerts by their names.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	var alerts alertRules
	read(t, filepath.Join("prometheus", "alerts.yaml"), func(text []byte) error {
		return yaml.UnmarshalWithOptions(text, &alerts, yaml.Strict())
	})
	for _, group := range alerts.Groups {
		for _, rule := range group.Rules {
			if rule.Annotations["summary"] == "" || !slices.Contains([]string{"page", "ticket"}, rule.Labels["severity"]) {
				t.Errorf("alert %s lacks a summary or a severity", rule.Alert)
			}
			found["alert "+rule.Alert] = rule.Expr
		}
	}
	var board dashboard
	read(t, filepath.Join("grafana", "flipside.json"), func(text []byte) error { return json.Unmarshal(text, &board) })
	taken := map[[2]int]string{}
	for _, panel := range board.Panels {
		for x := range panel.GridPos.W {
			for y := range panel.GridPos.H {
				at := [2]int{panel.GridPos.X + x, panel.GridPos.Y + y}
				if other := taken[at]; other != "" || at[0] >= 24 {
					t.Fatalf("panel %q overlaps %q at %v or exceeds the width", panel.Title, other, at)
				}
				taken[at] = panel.Title
			}
		}
		for _, target := range panel.Targets {
			found["panel "+panel.Title+": "+target.Expr] = target.Expr
		}
	}
	return found
}

func read(t *testing.T, name string, parse func([]byte) error) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(operations, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := parse(text); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

var (
	sampleLine = regexp.MustCompile(`(?m)^([a-z][a-z0-9_]*)(?:\{(.*)\})? `)
	labelName  = regexp.MustCompile(`([a-z_]+)(?:="|[!=~]+")`)
	selector   = regexp.MustCompile(`\b((?:flipside|go|process)_[a-z0-9_]+)(?:\{([^}]*)\})?`)
	grouping   = regexp.MustCompile(`by \(([^)]*)\)`)
)

// scrape returns the names of the metrics that a daemon exports, with their labels.
func scrape(t *testing.T, url string) map[string][]string {
	t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(request(t, url))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string][]string{}
	for _, sample := range sampleLine.FindAllStringSubmatch(string(text), -1) {
		labels[sample[1]] = append(labels[sample[1]], "job", "instance") // Prometheus adds these.
		for _, label := range labelName.FindAllStringSubmatch(sample[2], -1) {
			labels[sample[1]] = append(labels[sample[1]], label[1])
		}
	}
	return labels
}

func request(t *testing.T, url string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// The test runs daemons that export every metric, and looks up the metrics and labels of the
// dashboard and the alerts.
func TestTheDashboardAndTheAlertsNameExportedMetrics(t *testing.T) {
	s := testSettings(t)
	s.NATSURL = "nats://127.0.0.1:1"
	a, _ := startDaemon(t, All, s)
	url := "http://" + a.Addrs["http"]
	playOneMove(t, url)
	for _, path := range []string{"/v1/games/unknown", "/v1/turns:watch"} { // Both fail with a reason; the second is a stream.
		req := request(t, url+path)
		req.Header.Set("Authorization", "Bearer flk_nobody_wrong")
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	exported := scrape(t, "http://"+a.Addrs["metrics"]+"/metrics")
	onPostgres := testSettings(t)
	onPostgres.DatabaseURLs, onPostgres.Migrate = []string{pgtest.Database(t)}, true
	shared, _ := startDaemon(t, Game, onPostgres)
	maps.Copy(exported, scrape(t, "http://"+shared.Addrs["metrics"]+"/metrics"))
	for where, expr := range expressions(t) {
		names := selector.FindAllStringSubmatch(expr, -1)
		if len(names) == 0 && !strings.HasPrefix(expr, "up{") {
			t.Errorf("%s: no metric in %s", where, expr)
		}
		for _, name := range names {
			labels, ok := exported[name[1]]
			if !ok {
				t.Errorf("%s: the daemon does not export %s", where, name[1])
				continue
			}
			want := labelName.FindAllStringSubmatch(name[2], -1)
			for _, by := range grouping.FindAllStringSubmatch(expr, -1) {
				for label := range strings.SplitSeq(by[1], ",") {
					want = append(want, []string{"", strings.TrimSpace(label)})
				}
			}
			for _, label := range want {
				if !slices.Contains(labels, label[1]) {
					t.Errorf("%s: %s has no label %s", where, name[1], label[1])
				}
			}
		}
	}
}

// The test looks up every environment variable of the deployment files in the settings.
func TestDeploymentsSetKnownSettings(t *testing.T) {
	known := map[string]bool{"FLIPSIDE_VERSION": true} // The tag of the image.
	for _, r := range new(Settings).table() {
		known[r.env()], known[r.env()+"_FILE"] = true, r.secret
	}
	variable := regexp.MustCompile(`FLIPSIDE_[A-Z_]*[A-Z]`)
	files, err := filepath.Glob(filepath.Join(operations, "*", "*.yaml"))
	if err != nil || len(files) < 5 {
		t.Fatalf("found %v, want at least 5 files: %v", files, err)
	}
	top := filepath.Join("..", "..")
	for _, name := range append(files, filepath.Join(top, "Dockerfile"), filepath.Join(top, "docker-compose.yml")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.ParseBytes(text, 0); err != nil && filepath.Ext(name) != "" {
			t.Errorf("%s is not YAML: %v", name, err)
		}
		for _, used := range variable.FindAllString(string(text), -1) {
			if !known[used] {
				t.Errorf("%s: unknown setting %s", name, used)
			}
		}
	}
}

func TestTheGuideExplainsEveryAlert(t *testing.T) {
	guide, err := os.ReadFile(operations + ".md")
	if err != nil {
		t.Fatal(err)
	}
	for where := range expressions(t) {
		if name, ok := strings.CutPrefix(where, "alert "); ok && !strings.Contains(string(guide), "**"+name+"**") {
			t.Errorf("docs/operations.md does not explain %s", name)
		}
	}
}
