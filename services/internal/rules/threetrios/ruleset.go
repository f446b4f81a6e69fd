package threetrios

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Rule is the name of a rule.
type Rule string

// The rules. Any can be combined, except Default with Reverse.
const (
	Default   Rule = "default"
	Reverse   Rule = "reverse"
	FallenAce Rule = "fallen-ace"
	Same      Rule = "same"
	Plus      Rule = "plus"
)

// AllRules returns every rule in canonical order. The caller owns the slice.
func AllRules() []Rule { return []Rule{Default, Reverse, FallenAce, Same, Plus} }

// ruleSet holds the rules in force. Default is in force unless reverse is.
type ruleSet struct{ reverse, fallenAce, same, plus bool }

// canonical returns the rules in force once each, in canonical order. It returns an error for an
// unknown rule and for Default with Reverse.
func canonical(named []Rule) ([]Rule, error) {
	for _, rule := range named {
		if name := string(rule); !slices.Contains(AllRules(), rule) {
			return nil, fault.Invalid("unknown rule %s: the rules are %s",
				quote(name), joinRules(AllRules(), ", ")).With("rule", shorten(name))
		}
	}
	if slices.Contains(named, Default) && slices.Contains(named, Reverse) {
		return nil, fault.New(fault.ConflictingRules,
			"the rules %s and %s exclude each other: use one of them",
			Default, Reverse)
	}
	return newRuleSet(named).names(), nil
}

func newRuleSet(named []Rule) ruleSet {
	return ruleSet{
		reverse:   slices.Contains(named, Reverse),
		fallenAce: slices.Contains(named, FallenAce),
		same:      slices.Contains(named, Same),
		plus:      slices.Contains(named, Plus),
	}
}

// names returns the rules in canonical order, including Default or Reverse.
func (r ruleSet) names() []Rule {
	on := map[Rule]bool{
		Default: !r.reverse, Reverse: r.reverse, FallenAce: r.fallenAce, Same: r.same, Plus: r.plus,
	}
	return slices.DeleteFunc(AllRules(), func(r Rule) bool { return !on[r] })
}
