package app

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

// operations is where the files for operators are.
var operations = filepath.Join("..", "..", "docs", "operations")

// rules is a file of rules for Prometheus.
type rules struct {
	Groups []struct {
		Name  string
		Rules []struct {
			Alert, Expr, For    string
			Labels, Annotations map[string]string
		}
	}
}

// dashboard is what is looked at of a dashboard for Grafana.
type dashboard struct {
	Panels []struct {
		ID      int
		Type    string
		Title   string
		Targets []struct{ Expr string }
		GridPos struct{ X, Y, W, H int }
	}
}

// expressions returns the queries of the dashboard and of the alerts, by where they stand.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	var alerts rules
	read(t, filepath.Join("prometheus", "alerts.yaml"), func(text []byte) error { return yaml.UnmarshalWithOptions(text, &alerts, yaml.Strict()) })
	for _, group := range alerts.Groups {
		for _, rule := range group.Rules {
			if rule.Annotations["summary"] == "" || !slices.Contains([]string{"page", "ticket"}, rule.Labels["severity"]) {
				t.Errorf("alert %s does not say what it is and how bad", rule.Alert)
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
					t.Fatalf("panel %q lies at %v, where %q is or nothing can be", panel.Title, at, other)
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

// scraped are the labels of the metrics that a daemon exports, by their names.
func scraped(t *testing.T, url string) map[string][]string {
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
		labels[sample[1]] = append(labels[sample[1]], "job", "instance") // which Prometheus adds
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

// TestOperatorsAreShownWhatIsExported runs a daemon that has done a bit of everything, and looks for every metric and
// label that the dashboard and the alerts name in what it exports.
func TestOperatorsAreShownWhatIsExported(t *testing.T) {
	a, _ := daemon(t, All, Settings{NATSURL: "nats://127.0.0.1:1"})
	url := "http://" + a.Addrs["http"]
	playOneMove(t, url)
	for _, path := range []string{"/v1/games/unknown", "/v1/turns:watch"} { // refused with a reason; the second opens a stream
		resp, err := http.DefaultTransport.RoundTrip(request(t, url+path))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	exported := scraped(t, "http://"+a.Addrs["metrics"]+"/metrics")
	for where, expr := range expressions(t) {
		names := selector.FindAllStringSubmatch(expr, -1)
		if len(names) == 0 && !strings.HasPrefix(expr, "up{") {
			t.Errorf("%s: there is no metric in %s", where, expr)
		}
		for _, name := range names {
			labels, ok := exported[name[1]]
			if !ok {
				t.Errorf("%s: nobody exports %s", where, name[1])
				continue
			}
			wanted := labelName.FindAllStringSubmatch(name[2], -1)
			for _, by := range grouping.FindAllStringSubmatch(expr, -1) {
				for label := range strings.SplitSeq(by[1], ",") {
					wanted = append(wanted, []string{"", strings.TrimSpace(label)})
				}
			}
			for _, label := range wanted {
				if !slices.Contains(labels, label[1]) {
					t.Errorf("%s: %s has no label %s", where, name[1], label[1])
				}
			}
		}
	}
}

// TestDeploymentsSetWhatCanBeSet looks for every variable in the files that deploy the daemon among its settings.
func TestDeploymentsSetWhatCanBeSet(t *testing.T) {
	known := map[string]bool{"FLIPSIDE_VERSION": true} // which names the image, and is for nobody else
	for _, r := range new(Settings).table() {
		known[r.env()], known[r.env()+"_FILE"] = true, r.secret
	}
	variable := regexp.MustCompile(`FLIPSIDE_[A-Z_]*[A-Z]`)
	files, err := filepath.Glob(filepath.Join(operations, "*", "*.yaml"))
	if err != nil || len(files) < 5 {
		t.Fatalf("found only %v: %v", files, err)
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
				t.Errorf("%s: there is no setting %s", name, used)
			}
		}
	}
}

// TestEveryAlertSaysWhatToDo has each explained in the guide, and each page of the guide about one that there is.
func TestEveryAlertSaysWhatToDo(t *testing.T) {
	guide, err := os.ReadFile(operations + ".md")
	if err != nil {
		t.Fatal(err)
	}
	for where := range expressions(t) {
		if name, ok := strings.CutPrefix(where, "alert "); ok && !strings.Contains(string(guide), "**"+name+"**") {
			t.Errorf("docs/operations.md does not say what to do about %s", name)
		}
	}
}
