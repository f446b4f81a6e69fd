package board

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/flipside-games/flipside/clients/cli/render"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// searches reports whether the strategy with a name is a search with limits.
func searches(name string) bool { return name == "alphabeta" || name == "engine" }

// limitFields adds the fields of the limits of a strategy, if it has limits. The names of the
// fields start with that of the strategy, so that each strategy keeps its values.
func (f *form) limitFields(name string) {
	if searches(name) {
		f.text(name+" depth", "Depth", "Search at most this many plies"+f.ranges[name+" depth"])
		f.text(name+" time", "Time",
			"Search at most this long for each move, such as 500ms"+f.ranges[name+" time"])
	}
}

// limitValues sets the values of the limits that a strategy has, and returns its name.
func limitValues(values map[string]string, strategy *strategyv1.Strategy) string {
	name := render.StrategyBaseName(strategy)
	depth, limit := render.SearchLimits(strategy)
	switch {
	case limit > 0:
		values[name+" depth"], values[name+" time"] = noLimit, limit.String()
	case name == "engine":
		values[name+" time"] = "10s" // the default of the server
	}
	if depth > 0 {
		values[name+" depth"] = fmt.Sprint(depth)
	}
	return name
}

// openForm opens a form, and asks for the ranges of limits when a form opens for the first time.
func (a *app) openForm(f *form) tea.Cmd {
	f.arrange()
	a.push(f)
	if a.ranges != nil {
		return nil
	}
	request := &strategyv1.ListStrategiesRequest{}
	return ask(a, a.server.Strategies.ListStrategies, request, func(
		got *strategyv1.ListStrategiesResponse, err error,
	) tea.Cmd {
		if err != nil {
			return nil // the server checks the values too
		}
		a.ranges = map[string]string{}
		fields := map[string]string{"maxDepth": "depth", "maxTime": "time"}
		for _, strategy := range got.GetStrategies() {
			for _, each := range strategy.GetParameters() {
				limit := strings.ToLower(strategy.GetName()) + " " + fields[each.GetName()]
				a.ranges[limit] = fmt.Sprintf(": up to %s, or %s", each.GetMaximum(), noLimit)
			}
		}
		f.arrange()
		return nil
	})
}
