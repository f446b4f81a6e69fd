package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/strategy/engine"
)

// buildMetric says what runs.
func buildMetric(role Role) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name:        "flipside_info",
		Help:        "What runs, by version and role. Always 1.",
		ConstLabels: prometheus.Labels{"version": Version, "role": string(role)},
	}, func() float64 { return 1 })
}

// searchMetrics are the figures of what the searches of this process use.
func searchMetrics(budget *engine.Budget) []prometheus.Collector {
	gauge := func(name, help string, value func(engine.Use) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(value(budget.Use())) })
	}
	return []prometheus.Collector{
		gauge("flipside_searches_running", "Searches of the engine that run now.",
			func(u engine.Use) int { return u.Running }),
		gauge("flipside_searches_waiting", "Searches of the engine that wait for memory.",
			func(u engine.Use) int { return u.Waiting }),
		gauge("flipside_search_memory_bytes", "Memory that searches of the engine use now.",
			func(u engine.Use) int { return u.Used }),
		gauge("flipside_search_memory_limit_bytes", "Memory that searches of the engine may use at once.",
			func(u engine.Use) int { return u.Limit }),
	}
}
