package threetrios

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Rule is the name of one rule.
type Rule string

// The rules there are. Default and Reverse exclude each other; otherwise any may be combined.
const (
	Default   Rule = "default"
	Reverse   Rule = "reverse"
	FallenAce Rule = "fallen-ace"
	Same      Rule = "same"
	Plus      Rule = "plus"
)

// AllRules returns every rule in canonical order. The caller owns the slice.
func AllRules() []Rule { return []Rule{Default, Reverse, FallenAce, Same, Plus} }

// ruleSet is the rules in force. The base rule is that of Default unless reverse is set.
type ruleSet struct{ reverse, fallenAce, same, plus bool }

// canonical returns the rules named, each once and in canonical order; none at all means Default.
func canonical(named []Rule) ([]Rule, error) {
	for _, rule := range named {
		if word := string(rule); !slices.Contains(AllRules(), rule) {
			return nil, fault.New(fault.InvalidField, "there is no rule %s: the rules are %s", quote(word), joinRules(AllRules())).
				With("rule", shorten(word))
		}
	}
	if slices.Contains(named, Default) && slices.Contains(named, Reverse) {
		return nil, fault.New(fault.ConflictingRules, "the rules %s and %s exclude each other", Default, Reverse)
	}
	if len(named) == 0 {
		return []Rule{Default}, nil
	}
	return slices.DeleteFunc(AllRules(), func(r Rule) bool { return !slices.Contains(named, r) }), nil
}

func newRuleSet(named []Rule) ruleSet {
	return ruleSet{
		reverse:   slices.Contains(named, Reverse),
		fallenAce: slices.Contains(named, FallenAce),
		same:      slices.Contains(named, Same),
		plus:      slices.Contains(named, Plus),
	}
}

// names returns the rules in canonical order with the base rule always named.
func (r ruleSet) names() []Rule {
	on := map[Rule]bool{Default: !r.reverse, Reverse: r.reverse, FallenAce: r.fallenAce, Same: r.same, Plus: r.plus}
	return slices.DeleteFunc(AllRules(), func(r Rule) bool { return !on[r] })
}
