package game

import (
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// OfferKind is the subject of an offer.
type OfferKind string

// A takeback returns to the last turn of the side that offered it. A draw ends the game. A rematch
// creates a game with the same setup and swapped sides.
const (
	OfferTakeback OfferKind = "takeback"
	OfferDraw     OfferKind = "draw"
	OfferRematch  OfferKind = "rematch"
)

// Offer is a proposal of one side. The other side accepts it by the same offer. A move ends all
// offers.
type Offer struct {
	Side rules.Side `json:"side"`
	Kind OfferKind  `json:"kind"`
	// Declined marks an offer that the other side declined. It cannot be repeated before the next
	// move.
	Declined bool `json:"declined,omitempty"`
}

// OpenOffers returns the offers that the other side can accept.
func (g Game) OpenOffers() []Offer {
	return slices.DeleteFunc(slices.Clone(g.Offers), func(o Offer) bool { return o.Declined })
}

// OfferCommand is the command to make an offer, or to accept the opponent's.
type OfferCommand struct {
	Player string
	// Side can be NoSide if the player has one seat.
	Side rules.Side
	Kind OfferKind
	// LastTurn is the result of [Game.LastTurn] for the side that [Game.TakebackSide] returns, nil if
	// there is none. Only a takeback needs it.
	LastTurn *Game
	// RobotAgrees is the answer of a robot to a draw.
	RobotAgrees bool
	// RematchID is the id of the new game if a rematch is agreed.
	RematchID string
}

// TakebackSide returns the side whose last turn a takeback offered by a player returns to: the
// opponent's if the opponent offered it before.
func (g Game) TakebackSide(player string, side rules.Side) (rules.Side, error) {
	side, err := g.seatOf(player, side)
	if err == nil && g.offer(side.Other(), OfferTakeback) == offerOpen {
		return side.Other(), nil
	}
	return side, err
}

// Offer makes an offer, or accepts the open offer of the opponent. A robot accepts a takeback and a
// rematch at once and answers a draw at once; so does a player with both seats. Repeating an open
// offer changes nothing.
func (g Game) Offer(c OfferCommand, now time.Time) (Decision, error) {
	side, err := g.seatOf(c.Player, c.Side)
	if err != nil {
		return Decision{}, err
	}
	if err := g.mayOffer(c.Kind); err != nil {
		return Decision{}, err
	}
	d := g.decide(now)
	if c.Kind == OfferRematch && g.Rematch != "" {
		return d, nil
	}
	opponent := g.Seats.Of(side.Other())
	robot := opponent.Robot != nil
	accepted := g.offer(side.Other(), c.Kind) == offerOpen || opponent.Player == c.Player ||
		robot && (c.Kind != OfferDraw || c.RobotAgrees)
	switch own := g.offer(side, c.Kind); {
	case accepted:
		err := d.accept(c)
		return d, err
	case own == offerOpen:
		return d, nil
	case own == offerDeclined:
		if c.Kind == OfferRematch {
			return Decision{}, fault.New(fault.OfferDeclined,
				"the opponent declined a rematch: only they can offer one now")
		}
		return Decision{}, fault.New(fault.OfferDeclined,
			"the opponent declined this offer: make it again after the next move")
	}
	if c.Kind == OfferTakeback && c.LastTurn == nil {
		return Decision{}, errNothingToTakeBack()
	}
	d.record(Event{OfferMade: &OfferMade{Side: side, Kind: c.Kind}}, nil)
	if robot {
		d.record(Event{OfferDeclined: &OfferDeclined{Side: side.Other(), Kind: c.Kind}}, nil)
	}
	return d, nil
}

// mayOffer returns an error if an offer of the kind makes no sense in the state of the game.
func (g Game) mayOffer(kind OfferKind) error {
	switch {
	case kind != OfferRematch:
		if err := g.requireActive(); err != nil {
			return err
		}
	case g.State == StateAborted:
		return g.errOver()
	case g.State != StateFinished:
		return fault.New(fault.GameNotOver, "the game is not over: offer a rematch after its end")
	}
	return g.mayAdjust()
}

// accept carries out an offer that both sides agree to.
func (d *Decision) accept(c OfferCommand) error {
	switch c.Kind {
	case OfferDraw:
		d.finish(Outcome{Ending: ByAgreement})
	case OfferRematch:
		d.record(Event{RematchCreated: &RematchCreated{GameID: c.RematchID}}, nil)
	case OfferTakeback:
		to := c.LastTurn
		if to == nil {
			return errNothingToTakeBack()
		}
		d.record(Event{MovesTakenBack: &MovesTakenBack{
			Side: to.Turn(), Version: to.Version,
			Position: to.Position.Notation(), Score: to.Position.Score(),
			Moves: to.Moves, LastCell: to.LastCell, Left: to.Left,
			Seats: d.Game.Seats, Adjustments: d.Game.Adjustments + 1, decoded: to.Position,
		}}, to.Position)
	}
	return nil
}

func errNothingToTakeBack() error {
	return fault.New(fault.NothingToTakeBack, "there is no move of that side to take back")
}

// DeclineOffer declines the open offer of the opponent, or withdraws the player's own.
func (g Game) DeclineOffer(
	player string, side rules.Side, kind OfferKind, now time.Time,
) (Decision, error) {
	side, err := g.seatOf(player, side)
	if err != nil {
		return Decision{}, err
	}
	if g.offer(side, kind) != offerOpen && g.offer(side.Other(), kind) != offerOpen {
		return Decision{}, fault.New(fault.NoSuchOffer, "there is no open offer of this kind")
	}
	d := g.decide(now)
	d.record(Event{OfferDeclined: &OfferDeclined{Side: side, Kind: kind}}, nil)
	return d, nil
}

// applyDecline returns the game after a decline: the opponent's open offer is declined, else the
// side's own is withdrawn.
func (g Game) applyDecline(e OfferDeclined) Game {
	var offers []Offer
	declined := g.offer(e.Side.Other(), e.Kind) == offerOpen
	for _, o := range g.Offers {
		switch {
		case o.Kind != e.Kind:
		case declined && o.Side == e.Side.Other():
			o.Declined = true
		case !declined && o.Side == e.Side:
			continue
		}
		offers = append(offers, o)
	}
	g.Offers = offers
	return g
}

// The states of an offer.
const (
	offerNone = iota
	offerOpen
	offerDeclined
)

// offer returns the state of an offer.
func (g Game) offer(side rules.Side, kind OfferKind) int {
	for _, o := range g.Offers {
		switch {
		case o.Side != side || o.Kind != kind:
		case o.Declined:
			return offerDeclined
		default:
			return offerOpen
		}
	}
	return offerNone
}

// RematchOf returns the first event of the rematch of a game: the same setup, with swapped sides.
func RematchOf(g Game) Created {
	return Created{
		Creator: g.Creator, Visibility: g.Visibility, Setup: g.Setup, TimeControl: g.TimeControl,
		Seats: Seats{g.Seats[1], g.Seats[0]}, Origin: g.Origin, RematchOf: g.ID,
	}
}
