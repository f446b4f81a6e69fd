package app

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

func TestSearchesGetAQuarterOfTheMemory(t *testing.T) {
	const mib, none = 1 << 20, math.MaxInt64
	unknown := func() (uint64, error) { return 0, memlimit.ErrNoLimit }
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(none))
	for name, test := range map[string]struct {
		setting int // MiB
		limit   int64
		machine memlimit.Provider
		want    int // MiB
	}{
		"the setting comes first":             {300, 400 * mib, memlimit.Limit(1000 * mib), 300},
		"then the limit of the process":       {0, 400 * mib, memlimit.Limit(1000 * mib), 100},
		"then the memory of a small machine":  {0, none, memlimit.Limit(1000 * mib), 250},
		"at most 512 MiB":                     {0, none, memlimit.Limit(8000 * mib), 512},
		"also on a machine of unknown memory": {0, none, unknown, 512},
	} {
		debug.SetMemoryLimit(test.limit)
		settings := Settings{SearchMemory: test.setting}
		if got := settings.searchMemory(test.machine) / mib; got != test.want {
			t.Errorf("%s: %d MiB, want %d", name, got, test.want)
		}
	}
}
