// Package heuristic has the strategies for Reversi that compare single moves, without a search.
// They play on any board. Some are composed of others: a strategy keeps some of its candidates, and
// another one can choose among those. The caller bounds how deep they nest.
package heuristic
