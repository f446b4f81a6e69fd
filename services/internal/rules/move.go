package rules

// MoveKind is the kind of a move.
type MoveKind uint8

// The kinds of move. PlaceDisc uses Cell, PlayCard uses Cell and Card, PassTurn uses neither.
const (
	PlaceDisc MoveKind = iota + 1
	PlayCard
	PassTurn
)

// Move is one turn of a player. It is comparable and need not be legal.
type Move struct {
	Kind MoveKind `json:"kind"`
	Cell Cell     `json:"cell,omitzero"`
	// Card is the name of the card to play.
	Card string `json:"card,omitempty"`
}

// Pass gives the turn to the opponent.
var Pass = Move{Kind: PassTurn}

// Place returns the move that places a disc on a cell.
func Place(c Cell) Move { return Move{Kind: PlaceDisc, Cell: c} }

// Play returns the move that plays the card with this name on a cell.
func Play(card string, c Cell) Move { return Move{Kind: PlayCard, Cell: c, Card: card} }

// Flip is a disc or a card that changed sides. Wave is 0 for the flips that the move itself causes;
// each step of the chain that follows adds 1.
type Flip struct {
	Cell  Cell  `json:"cell"`
	Wave  int   `json:"wave,omitempty"`
	Cause Cause `json:"cause,omitempty"`
}

// Cause is the rule that made a card flip. Discs flip with NoCause.
type Cause uint8

// The causes, highest precedence first. If several rules explain a flip, the flip has the first.
const (
	NoCause Cause = iota
	CauseGreater
	CauseLess
	CauseFallenAce
	CauseSame
	CausePlus
)

var causeNames = [...]string{
	CauseGreater: "greater", CauseLess: "less", CauseFallenAce: "fallen ace", CauseSame: "same",
	CausePlus: "plus",
}

// String returns the cause in words, "" for NoCause and for an unknown cause.
func (c Cause) String() string {
	if int(c) >= len(causeNames) {
		return ""
	}
	return causeNames[c]
}
