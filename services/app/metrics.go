package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/strategy/engine"
)

// infoMetric exports the version and the role as labels.
func infoMetric(role Role, version string) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name:        "flipside_info",
		Help:        "Version and role of the process. Always 1.",
		ConstLabels: prometheus.Labels{"version": version, "role": string(role)},
	}, func() float64 { return 1 })
}

// searchMetrics exports the use of the budget for engine searches.
func searchMetrics(budget *engine.MemoryBudget) []prometheus.Collector {
	gauge := func(name, help string, value func(engine.Usage) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(value(budget.Usage())) })
	}
	return []prometheus.Collector{
		gauge("flipside_searches_running", "Running engine searches.",
			func(u engine.Usage) int { return u.Running }),
		gauge("flipside_searches_waiting", "Engine searches that wait for memory.",
			func(u engine.Usage) int { return u.Waiting }),
		gauge("flipside_searches_pondering", "Engine searches on the time of opponents.",
			func(u engine.Usage) int { return u.Pondering }),
		gauge("flipside_search_memory_bytes", "Memory in use by engine searches.",
			func(u engine.Usage) int { return u.Used }),
		gauge("flipside_search_idle_bytes",
			"Memory of tables that wait for the next move of their games.",
			func(u engine.Usage) int { return u.Idle }),
		gauge("flipside_search_memory_limit_bytes", "Memory budget of all engine searches.",
			func(u engine.Usage) int { return u.Limit }),
	}
}
