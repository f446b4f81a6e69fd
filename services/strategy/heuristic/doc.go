// Package heuristic is the strategies for Reversi that look at moves one by one. They play on any board and can be
// made into new ones: a strategy keeps some of the moves it is shown, and may be shown what another one kept.
// Nothing here searches; how deep strategies nest is for those who build them to bound.
package heuristic
