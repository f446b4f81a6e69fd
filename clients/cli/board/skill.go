package board

import (
	"fmt"

	"github.com/flipside-games/flipside/clients/cli/render"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// skillField adds a field for the strength, if the strategy of another field is a skill.
func (f *form) skillField(name, label string) {
	if !render.IsSkill(f.values[name]) {
		return
	}
	var strengths []string
	for strength := range render.HighestSkill {
		strengths = append(strengths, fmt.Sprint(strength+1))
	}
	if f.values[name+" skill"] == "" {
		f.values[name+" skill"] = fmt.Sprint(render.DefaultSkill)
	}
	f.choice(name+" skill", label,
		fmt.Sprintf("From 1, a beginner, to %d. Weak players overlook moves", render.HighestSkill),
		strengths...)
}

// setSkill sets the strength of the strategy of a field, if it is a skill.
func setSkill(values map[string]string, name string, strategy *strategyv1.Strategy) {
	if skill, ok := strategy.GetKind().(*strategyv1.Strategy_Skill); ok {
		values[name+" skill"] = fmt.Sprint(skill.Skill)
	}
}

// strategy returns the name of the strategy of a field, with the strength of a skill.
func (f *form) strategy(name string) string {
	if value := f.values[name]; !render.IsSkill(value) {
		return value
	}
	return f.values[name] + ":" + f.values[name+" skill"]
}
