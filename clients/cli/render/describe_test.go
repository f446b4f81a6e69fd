package render

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

func TestEventSentences(t *testing.T) {
	t.Parallel()
	discs := Describer{Kind: Reversi}
	cards := Describer{Kind: Trios, Names: [2]string{"", "Ben"}}
	for _, test := range []struct {
		describer Describer
		event     string
		want      string
	}{
		{discs, `{"seatTaken":{"seat":{"side":"SIDE_SECOND","player":{"playerId":"01ben","displayName":"Ben"}}}}`, "Ben joins as O (White)."},
		{cards, `{"seatTaken":{"seat":{"side":"SIDE_SECOND","player":{"playerId":"01ben"}}}}`, "01ben joins as Blue (Ben)."},
		{discs, `{"aborted":{}}`, "The game is aborted by its creator."},
		{cards, `{"aborted":{"side":"SIDE_FIRST"}}`, "The game is aborted by Red."},
		{cards, `{"movePlayed":{"side":"SIDE_FIRST","move":{"playCard":{}},"notation":"k1@0,2","score":{"first":6,"second":4},"flips":[
			{"notation":"0,1","cause":"CAUSE_PLUS"},{"notation":"0,0","cause":"CAUSE_FALLEN_ACE","wave":2}]}}`,
			"Red plays k1@0,2 and flips 2 (0,1 plus; 0,0 fallen ace in wave 2): Red 6, Blue 4."},
		{discs, `{"movePlayed":{"side":"SIDE_FIRST","move":{"place":{}},"notation":"d3","score":{"first":4,"second":1},"flips":[{"notation":"d4"}],
			"automatic":true}}`, "X (Black) plays d3 and flips 1 (d4) (automatic): X 4, O 1."},
		{discs, `{"movePlayed":{"side":"SIDE_SECOND","move":{"passTurn":{}},"automatic":true,"score":{"first":4,"second":1},
			"substitute":{"provider":"mine","reason":"SUBSTITUTE_REASON_NO_ANSWER"}}}`,
			"O (White) passes (played by the server: its strategy did not answer in time): X 4, O 1."},
		{discs, `{"finished":{"outcome":{"draw":true,"ending":"ENDING_AGREEMENT"},"score":{"first":4,"second":1}}}`,
			"A draw by agreement: X 4, O 1."},
		{discs, `{"finished":{"outcome":{"winner":"SIDE_SECOND","ending":"ENDING_SCORE"},"score":{"first":17,"second":20}}}`,
			"O (White) wins by 3 on score: X 17, O 20."},
		{cards, `{"finished":{"outcome":{"winner":"SIDE_SECOND","ending":"ENDING_TIME"},"score":{"first":6,"second":4}}}`,
			"Blue (Ben) wins on time: Red 6, Blue 4."},
		{discs, `{"offerMade":{"side":"SIDE_SECOND","kind":"OFFER_KIND_TAKEBACK"}}`, "O (White) offers a takeback."},
		{cards, `{"offerDeclined":{"side":"SIDE_SECOND","kind":"OFFER_KIND_DRAW"}}`,
			"Blue (Ben) declines or withdraws the offer of a draw."},
		{discs, `{"movesTakenBack":{"side":"SIDE_FIRST","toVersion":2,"score":{"first":2,"second":2}}}`,
			"X (Black) takes back their last turn: X 2, O 2."},
		{discs, `{"rematchCreated":{"gameId":"01next"}}`, "The rematch is game 01next."},
		{discs, `{}`, "This client does not know this event; a newer version may."},
	} {
		event := &gamev1.Event{}
		if err := protojson.Unmarshal([]byte(test.event), event); err != nil {
			t.Fatal(err)
		}
		if got := test.describer.Event(event); got != test.want {
			t.Errorf("%s reads %q, want %q", test.event, got, test.want)
		}
	}
}

func TestGameShowsOffersAndRematch(t *testing.T) {
	t.Parallel()
	game := &gamev1.Game{
		Kind: Reversi, Rematch: "01next",
		Offers: []*gamev1.Offer{{Side: 2, Kind: gamev1.OfferKind_OFFER_KIND_REMATCH}},
	}
	for _, want := range []string{"offer    rematch by O (White)\n", "rematch  01next\n"} {
		if got := Game(game); !strings.Contains(got, want) {
			t.Errorf("the game reads\n%s\nwithout %q", got, want)
		}
	}
}

// Only rules that differ from the default are shown.
func TestSetupRules(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ setup, want string }{
		{`{"threeTrios":{"rules":["RULE_DEFAULT"],"countOwnCards":false}}`, ""},
		{`{"threeTrios":{"rules":["RULE_REVERSE","RULE_FALLEN_ACE","RULE_SAME","RULE_PLUS"],"countOwnCards":true}}`,
			"reverse, fallen-ace, same, plus, count-own-cards"},
		{`{"reversi":{"hexagon":{},"passRule":"PASS_RULE_VOLUNTARY","minFlips":1,"emptiesToWinner":false}}`, ""},
		{`{"reversi":{"hexagon":{},"passRule":"PASS_RULE_FORCED","minFlips":2,"autoPass":true}}`,
			"pass-rule forced, min-flips 2, auto-pass"},
		{`{"reversi":{"square":{"start":"START_STANDARD"},"passRule":"PASS_RULE_FORCED"}}`, ""},
		{`{"reversi":{"square":{"start":"START_MIRRORED"},"passRule":"PASS_RULE_VOLUNTARY","emptiesToWinner":true}}`,
			"pass-rule voluntary, empties-to-winner, mirrored"},
	} {
		setup := &rulesv1.Setup{}
		if err := protojson.Unmarshal([]byte(test.setup), setup); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(SetupRules(setup), ", "); got != test.want {
			t.Errorf("%s has the rules %q, want %q", test.setup, got, test.want)
		}
	}
}
