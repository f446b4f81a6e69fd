//go:build !race && linux

package faulttest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// attackScale is the size of the attacks.
type attackScale struct {
	factor  int           // multiplies numbers of connections and games
	warmUp  time.Duration // of honest callers before an attack
	length  time.Duration // of an attack
	rest    time.Duration // from the end of an attack until the memory is measured
	longest time.Duration // time for probes and honest callers
	growth  int           // limit for the growth of the live heap, in percent
	gogc    int           // GOGC of the server
}

// The sizes: a small one for CI, where the clients slow the server as well, and the full one of
// `make attack`.
var (
	smallAttack = attackScale{
		factor: 1, warmUp: time.Second / 2, length: time.Second / 2, longest: 5 * time.Second, growth: 30,
		gogc: 20, // Collections come soon, so that the memory is known soon.
	}
	fullAttack = attackScale{
		factor: 16, warmUp: 10 * time.Second, length: 15 * time.Second, rest: time.Minute,
		longest: time.Second, growth: 10, gogc: 100,
	}
)

// attack is one way of a kind of caller to use up the resources of a server.
type attack struct {
	name string
	by   string // the kind of caller
	// begin prepares the attack. It returns a step that every worker repeats until the attack ends.
	begin   func(*attacker) (step func(ctx context.Context, worker int))
	workers int
	// keeps is the memory in bytes that a limit of the server allows the attack to occupy after its
	// end: of the caches, or of searches.
	keeps int
	// trusted reports that the caller is trusted not to slow the server: it is only measured.
	trusted bool
}

// During an attack the probes answer and honest callers play on. After it the process has as much
// memory as before. FLIPSIDE_ATTACK=full runs the attacks at full size and writes their costs into
// docs/security.md.
func TestAttacks(t *testing.T) { //nolint:tparallel // Only attacks at small size run in parallel.
	t.Parallel()
	full := os.Getenv("FLIPSIDE_ATTACK") == "full"
	scale := smallAttack
	if full {
		scale = fullAttack
	}
	rows := make([]string, len(attacks))
	t.Run("all", func(t *testing.T) {
		for i, attack := range attacks {
			t.Run(attack.name, func(t *testing.T) {
				if !full {
					t.Parallel()
				}
				rows[i] = attack.run(t, scale)
			})
		}
	})
	table := "| attack | by | calls | rejected | sent | processors | memory during it " +
		"| memory after it | honest callers, p99 | `/livez`, slowest |\n" +
		"| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" + strings.Join(rows, "")
	t.Log("\n" + table)
	if full && !t.Failed() {
		replaceTable(t, "../../../docs/security.md", table)
	}
}

// replaceTable writes a table between its markers on a page.
func replaceTable(t *testing.T, page, table string) {
	t.Helper()
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- attacks, made by make attack -->\n", "<!-- end of attacks -->\n"
	before, rest, begun := strings.Cut(string(content), begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		t.Fatalf("%s lacks the lines %q and %q", page, begin, end)
	}
	if err := os.WriteFile(page, []byte(before+begin+table+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run attacks a new server and returns the costs as a row of the table.
func (a attack) run(t *testing.T, scale attackScale) string {
	const free = "127.0.0.1:0"
	p := launch(t, "env", "GOGC="+strconv.Itoa(scale.gogc), programs.path(t, "flipsided"),
		"--data", filepath.Join(t.TempDir(), "games.db"), "--service-key", "shop="+attackServiceKey,
		"--http-addr", free, "--game-addr", free, "--strategy-addr", free, "--metrics-addr", free)
	p.awaitListening(t)
	honest := startHonest(t, p)
	<-time.After(scale.warmUp)
	before := scale.liveHeap(t, p)
	resident := residentBytes(t, p)
	attacker := &attacker{t: t, server: p, scale: scale}
	attacker.client = attacker.newClient(2)

	watch := startProbes(t, p)
	honest.reset()
	begun, cpu := time.Now(), processSeconds(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), scale.length)
	step := a.begin(attacker)
	var workers sync.WaitGroup
	for worker := range a.workers {
		workers.Go(func() {
			for ctx.Err() == nil {
				step(ctx, worker)
			}
		})
	}
	<-ctx.Done()
	cancel()
	took, used := time.Since(begun), processSeconds(t, p)-cpu
	slowest, peak := watch.stop()
	p99 := honest.p99()
	workers.Wait()
	attacker.close()

	after := before
	if a.keeps < searchMemory { // Searches that go on keep their memory.
		<-time.After(scale.rest)
		after = scale.liveHeap(t, p)
	}
	honest.stop(t)
	if !a.trusted && max(slowest, p99) > scale.longest {
		t.Errorf("the slowest probe took %v and 99 %% of the honest calls up to %v, want at most %v",
			slowest, p99, scale.longest)
	}
	if limit := before + before*scale.growth/100 + a.keeps; after > limit {
		t.Errorf("the live heap has %d bytes after the attack, %d before; want at most %d", after, before, limit)
	}
	kept := "not measured"
	if a.keeps < searchMemory {
		kept = fmt.Sprintf("%+d MB", (after-before)>>20)
	}
	return fmt.Sprintf("| %s | %s | %d/s | %d/s | %.1f MB/s | %.2f | +%d MB | %s | %d ms | %d ms |\n",
		a.name, a.by, perSecond(attacker.calls.Load(), took), perSecond(attacker.rejected.Load(), took),
		float64(attacker.sent.Load())/1e6/took.Seconds(), used/took.Seconds(),
		(peak-resident)>>20, kept, p99.Milliseconds(), slowest.Milliseconds())
}

func perSecond(n int64, took time.Duration) int { return int(float64(n) / took.Seconds()) }

// The presets of --cache-memory and --search-memory.
const cacheMemory, searchMemory = 64 << 20, 512 << 20

// attackServiceKey is the key of a product.
const attackServiceKey = "a-service-key-of-a-product-0123456789"

// processSeconds returns the processor time that a process has used.
func processSeconds(t *testing.T, p *process) float64 {
	t.Helper()
	return metric(t, p.addrs["metrics"], "process_cpu_seconds_total")
}

// residentBytes returns the resident memory of a process.
func residentBytes(t testing.TB, p *process) int {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid))
	if err != nil {
		t.Error(err)
		return 0
	}
	var size, pages int
	if _, err := fmt.Sscan(string(statm), &size, &pages); err != nil {
		t.Error(err)
	}
	return pages * os.Getpagesize()
}

// probes probe the liveness of a process on new connections and watch its memory.
type probes struct {
	end     context.CancelFunc
	running sync.WaitGroup
	slowest atomic.Int64
	peak    atomic.Int64
}

func startProbes(t *testing.T, p *process) *probes {
	ctx, cancel := context.WithCancel(t.Context())
	w := &probes{end: cancel}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: waitTimeout}
	for _, listener := range []string{"http", "metrics"} {
		w.running.Go(func() {
			for ctx.Err() == nil {
				begun := time.Now()
				resp, err := client.Get("http://" + p.addrs[listener] + "/livez")
				if err != nil {
					t.Errorf("the probe of %s: %v", listener, err)
					return
				}
				resp.Body.Close()
				w.slowest.Store(max(w.slowest.Load(), int64(time.Since(begun))))
				w.peak.Store(max(w.peak.Load(), int64(residentBytes(t, p))))
				pause(ctx, 50*time.Millisecond)
			}
		})
	}
	return w
}

// stop returns the longest time of a probe and the most resident memory.
func (w *probes) stop() (slowest time.Duration, peak int) {
	w.end()
	w.running.Wait()
	return time.Duration(w.slowest.Load()), int(w.peak.Load())
}

// pause waits unless ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// honest is callers who play during an attack: against each other over gRPC and REST, and against a
// robot.
type honest struct {
	end     context.CancelFunc
	running sync.WaitGroup

	mu    sync.Mutex
	times []time.Duration
}

func startHonest(t *testing.T, p *process) *honest {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	h := &honest{end: cancel}
	overREST, err := newPlayer(t.Context(), newREST(t, p.addrs["http"]))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		player   *player
		opponent *gamev1.Seat
	}{{p.join(t), callerSeat()}, {overREST, callerSeat()}, {p.join(t), robotSeat("")}} {
		h.running.Go(func() { h.play(ctx, t, c.player, c.opponent) })
	}
	return h
}

// play plays one game after the other.
func (h *honest) play(ctx context.Context, t *testing.T, p *player, opponent *gamev1.Seat) {
	for ctx.Err() == nil {
		begun := time.Now()
		g := p.create(t, square(6), callerSeat(), opponent)
		h.add(begun)
		for g.GetTurn() != nil && ctx.Err() == nil {
			begun := time.Now()
			if g.GetSeats()[g.GetTurn().GetSide()-1].GetRobot() == nil {
				g = p.move(t, g.GetId())
			} else {
				g = p.awaitMove(t, g)
			}
			h.add(begun)
			pause(ctx, 20*time.Millisecond)
		}
	}
}

// awaitMove waits for a move of the opponent.
func (p *player) awaitMove(t *testing.T, g *gamev1.Game) *gamev1.Game {
	t.Helper()
	in := &gamev1.ListEventsRequest{
		GameId: g.GetId(), AfterVersion: g.GetVersion(), Wait: durationpb.New(10 * time.Second),
	}
	if err := p.via.call(t.Context(), p.key, "ListEvents", in, &gamev1.ListEventsResponse{}); err != nil {
		t.Error(err)
	}
	return p.get(t, g.GetId())
}

func (h *honest) add(begun time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.times = append(h.times, time.Since(begun))
}

// reset forgets the times of the calls until now.
func (h *honest) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.times = nil
}

// p99 returns the time that 99 of 100 calls have taken at most.
func (h *honest) p99() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.times) == 0 {
		return waitTimeout
	}
	slices.Sort(h.times)
	return h.times[len(h.times)*99/100]
}

func (h *honest) stop(t *testing.T) {
	t.Helper()
	h.end()
	h.running.Wait()
}

// liveHeap returns the bytes that the garbage collector of a server has found in use, without those
// in caches, which honest callers fill too. It makes garbage with large requests until the collector
// has run twice: its first run may have begun before. The collector runs again when the heap has
// doubled: the goal for that is twice the live heap.
func (s attackScale) liveHeap(t *testing.T, p *process) int {
	t.Helper()
	read := func(name string) float64 { return metric(t, p.addrs["metrics"], name) }
	rest := newREST(t, p.addrs["http"])
	large := &gamev1.CreatePlayerRequest{DisplayName: strings.Repeat("a", largestRequest-100)}
	const collections = "go_gc_duration_seconds_count"
	for want := read(collections) + 2; read(collections) < want; {
		for range 5 {
			_ = rest.call(t.Context(), "", "CreatePlayer", large, &gamev1.CreatePlayerResponse{})
		}
	}
	return int(read("go_memstats_next_gc_bytes"))*100/(100+s.gogc) - cachedBytes(t, p)
}

// cachedBytes returns the bytes in all caches of a server.
func cachedBytes(t *testing.T, p *process) (sum int) {
	t.Helper()
	resp, err := newREST(t, p.addrs["metrics"]).client.Get("http://" + p.addrs["metrics"] + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if labels, value, ok := strings.Cut(line, "} "); ok && strings.HasPrefix(labels, "flipside_cache_bytes{") {
			bytes, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += int(bytes)
		}
	}
	return sum
}

// attacker makes the calls of an attack from addresses of its own.
type attacker struct {
	t      *testing.T
	server *process
	scale  attackScale
	client *http.Client

	calls, rejected, sent atomic.Int64
	mu                    sync.Mutex
	conns                 map[net.Conn]struct{} // open ones
}

// dial opens a connection to a listener from the address 127.0.0.<host>.
func (a *attacker) dial(ctx context.Context, host int, addr string) (net.Conn, error) {
	from := &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(host))}
	conn, err := (&net.Dialer{LocalAddr: from, Timeout: waitTimeout}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	counted := &attackConn{conn, a}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conns == nil {
		a.conns = map[net.Conn]struct{}{}
	}
	a.conns[counted] = struct{}{}
	return counted, nil
}

// close closes all connections.
func (a *attacker) close() {
	a.mu.Lock()
	conns := a.conns
	a.conns = nil
	a.mu.Unlock()
	for conn := range conns {
		conn.Close()
	}
}

// attackConn counts the bytes that an attacker sends.
type attackConn struct {
	net.Conn
	attacker *attacker
}

func (c *attackConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.attacker.sent.Add(int64(n))
	return n, err
}

func (c *attackConn) Close() error {
	c.attacker.mu.Lock()
	delete(c.attacker.conns, c)
	c.attacker.mu.Unlock()
	return c.Conn.Close()
}

// newClient returns a client for HTTP from the address 127.0.0.<host>.
func (a *attacker) newClient(host int) *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 1024}
	transport.DialContext = func(ctx context.Context, _, addr string) (net.Conn, error) {
		return a.dial(ctx, host, addr)
	}
	a.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// call makes a REST call and returns its body, or the error without a response. headers are pairs of names and
// values.
func (a *attacker) call(ctx context.Context, verb, path, body string, headers ...string) string {
	req, err := http.NewRequestWithContext(ctx, verb, "http://"+a.server.addrs["http"]+path, strings.NewReader(body))
	if err != nil {
		a.t.Error(err)
		return ""
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := a.client.Do(req)
	a.count(err == nil && resp.StatusCode == http.StatusOK)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	response, _ := io.ReadAll(resp.Body)
	return string(response)
}

// count counts a call.
func (a *attacker) count(accepted bool) {
	a.calls.Add(1)
	if !accepted {
		a.rejected.Add(1)
	}
}

// player creates a player from the attacker's address and returns the header with its key.
func (a *attacker) player() (name, value string) {
	_, key, _ := strings.Cut(a.call(a.t.Context(), "POST", "/v1/players", "{}"), `"key":"`)
	key, _, ok := strings.Cut(key, `"`)
	if !ok {
		a.t.Fatal("the attacker got no key")
	}
	return "Authorization", "Bearer " + key
}

// mustGame creates a game and returns its id.
func (a *attacker) mustGame(request string, headers ...string) string {
	response := a.call(a.t.Context(), "POST", "/v1/games", request, headers...)
	_, id, _ := strings.Cut(response, `"id":"`)
	id, _, ok := strings.Cut(id, `"`)
	if !ok {
		a.t.Fatalf("the attacker got no game: %s", response)
	}
	return id
}

// game tries to create a game.
func (a *attacker) game(ctx context.Context, request string, headers ...string) {
	a.call(ctx, "POST", "/v1/games", request, headers...)
}
