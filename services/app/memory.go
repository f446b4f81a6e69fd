package app

import (
	"log/slog"
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	// maxSearchMemory is the default memory budget of all searches, in bytes.
	maxSearchMemory = 512 << 20
	// searchPart is the part of the memory limit of the process, or of the memory of a machine without
	// such a limit, that searches get by default. The rest is for the caches, streams and requests,
	// and for an eighth of the budget that urgent searches can use in addition.
	searchPart = 4
)

// limitMemory makes the garbage collector keep the process below nine tenths of the limit of its
// container (cgroup v1 or v2). The variable GOMEMLIMIT overrides that.
func limitMemory(log *slog.Logger) {
	if _, err := memlimit.Set(); err != nil {
		log.Warn("cannot read the memory limit of the container: set GOMEMLIMIT", "error", err)
	}
}

// searchMemory returns the memory budget of all searches, in bytes. machine returns the memory of
// the machine.
func (s *Settings) searchMemory(machine memlimit.Provider) int {
	if s.SearchMemory > 0 {
		return s.SearchMemory << 20
	}
	limit := debug.SetMemoryLimit(-1) // A negative limit changes nothing.
	if limit == math.MaxInt64 {
		if memory, err := machine(); err == nil {
			limit = int64(memory)
		}
	}
	return int(min(maxSearchMemory, limit/searchPart))
}
