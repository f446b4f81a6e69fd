//go:build !race

package app

import (
	"runtime"
	"testing"
)

// Games that are as large as callers can make them must not use more memory than --cache-memory
// allows.
func TestLargeGamesStayWithinTheCacheMemory(t *testing.T) {
	const budget = 8 << 20
	settings := testSettings(t)
	settings.CacheMemory = budget >> 20
	settings.CallRate = 1e6
	daemon, _ := startDaemon(t, All, settings)
	client := newRESTClient(t, daemon.Addrs["http"])
	setups := []string{largestTrios(64, 0), largestTrios(2, 0), largestTrios(2, 60_000)}
	play := func(games int) {
		for i := range games {
			game := client.createGame(setups[i%len(setups)])
			client.call("POST", game+"/moves", `{"notation":"`+firstCard(i%len(setups))+`@0,0"}`)
			client.call("GET", game, "")
			client.call("GET", game+"/events", "")
		}
	}
	play(len(setups))
	before := heapInUse()
	play(240)
	grown := heapInUse() - before
	bytes := int64(0)
	for _, s := range daemon.caches.Stats() {
		bytes += s.Bytes
		if s.Bytes > s.Limit {
			t.Errorf("cache %s: %d bytes, limit %d", s.Name, s.Bytes, s.Limit)
		}
	}
	if bytes > budget || bytes < budget/4 {
		t.Errorf("caches have %d bytes, want %d to %d", bytes, budget/4, budget)
	}
	if grown > budget*3/2 {
		t.Errorf("the heap grew by %d bytes, the caches by %d, want at most %d", grown, bytes, budget*3/2)
	}
}

// firstCard returns the name of the first card of a setup of the test.
func firstCard(setup int) string {
	if setup == 0 {
		return "00nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
	}
	return "00"
}

// heapInUse returns the bytes of reachable objects.
func heapInUse() int64 {
	for range 3 { // Pools keep objects for two collections.
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
