package botcheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Finding is a fault of a provider, with the first exchange that shows it.
type Finding struct {
	Fault    string          `json:"fault"`
	Count    int             `json:"count"` // of requests with this fault
	Problem  string          `json:"problem"`
	Contract string          `json:"contract"`       // the rule that the provider breaks
	When     string          `json:"when,omitempty"` // the circumstances of the request
	Position string          `json:"position"`
	Drawing  string          `json:"drawing"`
	Legal    string          `json:"legal"` // the legal moves
	Request  json.RawMessage `json:"request"`
	Answer   json.RawMessage `json:"answer,omitempty"`
	Error    string          `json:"error,omitempty"` // in place of an answer
}

// fault is a kind of fault.
type fault struct{ name, contract string }

var (
	noAnswer = fault{"no answer", "ChooseMove answers before the deadline of the call."}
	late     = fault{"late", "ChooseMove answers before the deadline of the call, " +
		"which is that of the move. Read it from the context of the call."}
	slow = fault{"slow", "The answer must arrive before the deadline. " +
		"Leave a tenth of the time for the network and for load."}
	failed = fault{"error", "ChooseMove answers with a move in every position of the boards " +
		"that the provider plays."}
	reject = fault{"rejected", "A provider plays every position of a board of one size, or rejects all " +
		"of them. A pass can be the only legal move."}
	rejectsAll = fault{"rejects everything", "A provider plays at least one kind of board: " +
		"hexagon, square or cards."}
	empty      = fault{"empty answer", "The answer needs chosen.notation or chosen.move."}
	unreadable = fault{"unreadable move", "The move is in the notation of the board, " +
		"or a message that fits the board."}
	illegal = fault{"illegal move", "The move is one of the legal moves of the position in the " +
		"request. ListPositionMoves of Flipside lists them."}
	contradiction = fault{"contradiction", "If chosen has move and notation, both mean the same move. " +
		"Game plays move."}
	candidates = fault{"wrong candidates", "candidates is empty, or lists legal moves without " +
		"duplicates, with chosen among them."}
	mixedUp = fault{"mixed up", "An answer belongs to its request. Calls share no state: " +
		"Flipside sends several at once, and cancels some."}
)

// rejections are the codes of errors that reject a request.
var rejections = []codes.Code{
	codes.InvalidArgument, codes.FailedPrecondition, codes.OutOfRange, codes.ResourceExhausted,
}

func isRejection(err error) bool { return slices.Contains(rejections, status.Code(err)) }

// find records a fault in an exchange.
func (c *checker) find(f fault, e *exchange, problem string) {
	for i := range c.report.Findings {
		if c.report.Findings[i].Fault == f.name {
			c.report.Findings[i].Count++
			return
		}
	}
	finding := Finding{
		Fault: f.name, Count: 1, Problem: problem, Contract: f.contract, When: e.when,
		Position: e.position.Name, Drawing: e.position.Drawing, Legal: e.position.legalNotations(),
		Request: jsonOf(e.request),
	}
	if e.err != nil {
		s := status.Convert(e.err)
		finding.Error = fmt.Sprintf("%s: %s", s.Code(), s.Message())
	} else {
		finding.Answer = jsonOf(e.answer)
	}
	c.report.Findings = append(c.report.Findings, finding)
}

// jsonOf encodes a message as over REST, in one line. It returns nil for a message that has no JSON.
func jsonOf(m proto.Message) json.RawMessage {
	document, err := protojson.Marshal(m)
	if err != nil {
		return nil
	}
	var line bytes.Buffer // protojson separates fields by a random number of blanks
	if err := json.Compact(&line, document); err != nil {
		return nil
	}
	return line.Bytes()
}

// examine records the faults in an exchange and reports whether there are none.
func (c *checker) examine(e *exchange) bool {
	switch {
	case status.Code(e.err) == codes.DeadlineExceeded:
		c.find(noAnswer, e, fmt.Sprintf("no answer within %v", c.Deadline))
	case isRejection(e.err):
		c.find(reject, e, "it answers other positions of this board")
	case e.err != nil:
		c.find(failed, e, "the call failed")
	default:
		inTime := e.time <= c.Deadline*9/10
		if !inTime {
			c.find(slow, e, fmt.Sprintf("it answered after %v of %v", e.time, c.Deadline))
		}
		return c.examineMove(e) && c.examineCandidates(e) && inTime
	}
	return false
}

// examineMove examines the chosen move.
func (c *checker) examineMove(e *exchange) bool {
	chosen := e.answer.GetChosen()
	if chosen.GetMove() == nil && chosen.GetNotation() == "" {
		c.find(empty, e, "the answer has no move")
		return false
	}
	move, v, problem := e.position.judge(chosen)
	if v != isLegal {
		if other := e.belongsTo(chosen); other != "" {
			c.find(mixedUp, e, fmt.Sprintf("%s; it is a legal move of another request, %s", problem, other))
		} else if v == isIllegal {
			c.find(illegal, e, problem)
		} else {
			c.find(unreadable, e, problem)
		}
		return false
	}
	if chosen.GetNotation() == "" {
		return true
	}
	named, _, _ := e.position.judgeNotation(chosen.GetNotation())
	if named != move {
		c.find(contradiction, e,
			fmt.Sprintf("move is %s, but notation is %.40q", move.Notation, chosen.GetNotation()))
	}
	return named == move
}

// belongsTo returns the name of another position in which a move is legal, "" if there is none.
func (e *exchange) belongsTo(chosen *strategyv1.Candidate) string {
	for i := range e.others {
		if _, v, _ := e.others[i].judge(chosen); v == isLegal {
			return e.others[i].Name
		}
	}
	return ""
}

// examineCandidates examines the list of equally good moves, which may be empty.
func (c *checker) examineCandidates(e *exchange) bool {
	chosen, _, _ := e.position.judge(e.answer.GetChosen())
	seen := map[*legal]bool{}
	for _, candidate := range e.answer.GetCandidates() {
		move, v, problem := e.position.judge(candidate)
		switch {
		case v != isLegal:
			c.find(candidates, e, problem)
			return false
		case seen[move]:
			c.find(candidates, e, fmt.Sprintf("%s is listed twice", move.Notation))
			return false
		}
		seen[move] = true
	}
	if len(seen) > 0 && !seen[chosen] {
		c.find(candidates, e, fmt.Sprintf("chosen is %s, which is not listed", chosen.Notation))
		return false
	}
	return true
}

// Text describes the report for people.
func (r *Report) Text() string {
	var text strings.Builder
	boards := make([]string, len(r.Boards))
	for i, board := range r.Boards {
		boards[i] = string(board)
	}
	fmt.Fprintf(&text, "%d requests; boards: %s\n", r.Requests, strings.Join(boards, ", "))
	if len(r.RejectedSizes) > 0 {
		fmt.Fprintf(&text, "It rejects boards of the sizes %s.\n", strings.Join(r.RejectedSizes, ", "))
	}
	if len(r.Findings) == 0 {
		text.WriteString("No faults found.\n")
	}
	for i, f := range r.Findings {
		fmt.Fprintf(&text, "\n%d. %s\n", i+1, f.title())
		fmt.Fprintf(&text, "   contract: %s\n   position: %s\n\n", f.Contract, f.Position)
		for line := range strings.Lines(f.Drawing) {
			text.WriteString("     " + line)
		}
		fmt.Fprintf(&text, "\n   legal:    %s\n   request:  %s\n", f.Legal, f.Request)
		if f.Error != "" {
			fmt.Fprintf(&text, "   error:    %s\n", f.Error)
		} else {
			fmt.Fprintf(&text, "   answer:   %s\n", f.Answer)
		}
	}
	return text.String()
}

// title is the fault with its frequency, circumstances and problem.
func (f Finding) title() string {
	title := fmt.Sprintf("%s (%d times)", f.Fault, f.Count)
	if f.Count == 1 {
		title = f.Fault + " (once)"
	}
	if f.When != "" {
		title += " " + f.When
	}
	if f.Problem != "" {
		title += ": " + f.Problem
	}
	return title
}
