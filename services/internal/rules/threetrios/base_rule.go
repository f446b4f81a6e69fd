package threetrios

import "github.com/flipside-games/flipside/services/internal/rules"

// baseRule returns the cause if the attacking value a beats the value d by the base rule in force,
// and NoCause if it does not. Equal values never beat each other.
//
//	Default                a > d
//	Reverse                a < d
//	FallenAce              a > d, or a one against an ace
//	Reverse and FallenAce  a < d, or an ace against a one
func (r ruleSet) baseRule(a, d uint8) rules.Cause {
	switch {
	case !r.reverse && a > d:
		return rules.CauseGreater
	case r.reverse && a < d:
		return rules.CauseLess
	case r.fallenAce && !r.reverse && a == 1 && d == Ace:
		return rules.CauseFallenAce
	case r.fallenAce && r.reverse && a == Ace && d == 1:
		return rules.CauseFallenAce
	}
	return rules.NoCause
}

// Beats reports whether an attacking value a beats the value d by the base rule in force. It
// ignores Same and Plus.
func (p *Position) Beats(a, d int) bool {
	return p.rules.baseRule(uint8(a), uint8(d)) != rules.NoCause
}
