package session

import (
	"time"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// History holds the positions of a game: the start, and the position after each move. It is built
// from the events of the game.
type History struct {
	// Entries holds the start and then one entry for each move. It is empty before the first event.
	Entries []Entry
	// Version is the version of the last event that was applied.
	Version int32
	// Over reports whether the game has ended.
	Over bool
}

// Entry is a position with the move that led to it.
type Entry struct {
	Version  int32 // of the event
	Time     time.Time
	Move     *gamev1.MovePlayed // nil for the start
	Position *rulesv1.Position
	Score    *rulesv1.Score // nil for the start
}

// Apply applies the next event. It ignores events that were applied before.
func (h *History) Apply(event *gamev1.Event) {
	if event.GetVersion() <= h.Version {
		return
	}
	h.Version = event.GetVersion()
	entry := Entry{Version: event.GetVersion(), Time: event.GetTime().AsTime()}
	switch kind := event.GetKind().(type) {
	case *gamev1.Event_Created:
		entry.Position = kind.Created.GetPosition()
	case *gamev1.Event_MovePlayed:
		entry.Move, entry.Position = kind.MovePlayed, kind.MovePlayed.GetPosition()
		entry.Score = kind.MovePlayed.GetScore()
	case *gamev1.Event_MovesTakenBack:
		h.truncate(kind.MovesTakenBack.GetToVersion())
		return
	case *gamev1.Event_Finished, *gamev1.Event_Aborted:
		h.Over = true
		return
	default:
		return
	}
	h.Entries = append(h.Entries, entry)
}

// truncate removes the moves after a version.
func (h *History) truncate(version int32) {
	for len(h.Entries) > 1 && h.Entries[h.Last()].Version > version {
		h.Entries = h.Entries[:h.Last()]
	}
}

// Last returns the index of the latest entry, -1 if there is none.
func (h *History) Last() int { return len(h.Entries) - 1 }

// Passes returns the number of passes in a row up to the latest move.
func (h *History) Passes() int {
	passes := 0
	for i := h.Last(); i > 0 && h.Entries[i].Move.GetMove().GetPassTurn() != nil; i-- {
		passes++
	}
	return passes
}
