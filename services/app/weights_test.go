package app

import (
	"syscall"
	"testing"
	"time"
)

// BenchmarkWeights measures the processor time of calls over REST, that of the client included, and
// the size of their answers. The weights of calls follow from it.
func BenchmarkWeights(b *testing.B) {
	settings := testSettings(b)
	settings.CallRate = 1e9
	daemon, _ := startDaemon(b, All, settings)
	client := newRESTClient(b, daemon.Addrs["http"])
	const square = `{"reversi":{"square":{"side":8}}}`
	small := client.createGame(square)
	largeSetup := largestTrios(64, 0)
	large := client.createGame(largeSetup)
	for _, call := range []struct{ name, path string }{
		{"GetGame", ""},
		{"ListEvents", "/events"},
		{"ListLegalMoves", "/legalMoves"},
		{"ListLegalMoves/1000", "/legalMoves?pageSize=1000"},
		{"ListLegalMoves/1", "/legalMoves?pageSize=1"},
		{"Text", "/board"},
		{"SVG", "/board?format=FORMAT_SVG"},
		{"SVG/hints", "/board?format=FORMAT_SVG&hints=true"},
		{"SVG/version", "/board?format=FORMAT_SVG&version=1"},
		{"PNG", "/board?format=FORMAT_PNG"},
	} {
		measure(b, "8x8/"+call.name, func() []byte { return client.call("GET", small+call.path, "") })
		measure(b, "cards/"+call.name, func() []byte { return client.call("GET", large+call.path, "") })
	}
	measure(b, "8x8/CreateGame", func() []byte { return []byte(client.createGame(square)) })
	measure(b, "8x8/ListGames", func() []byte { return client.call("GET", "/v1/games", "") })
	measure(b, "8x8/ListGames/1000", func() []byte { return client.call("GET", "/v1/games?pageSize=1000", "") })
	measure(b, "cards/CreateGame", func() []byte { return []byte(client.createGame(largeSetup)) })
	measure(b, "cards/ForkGame", func() []byte { return client.call("POST", large+":fork", `{}`) })
	for range 50 {
		client.createGame(largeSetup)
	}
	measure(b, "cards/ListGames", func() []byte { return client.call("GET", "/v1/games", "") })
}

// measure reports the processor time of a call and the size of its answer.
func measure(b *testing.B, name string, call func() []byte) {
	b.Run(name, func(b *testing.B) {
		size := 0
		start := cpuTime()
		for b.Loop() {
			size = len(call())
		}
		b.ReportMetric(float64((cpuTime()-start).Microseconds())/float64(b.N), "cpu-µs/op")
		b.ReportMetric(float64(size)/1024, "KiB")
	})
}

// cpuTime returns the processor time of this process.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
