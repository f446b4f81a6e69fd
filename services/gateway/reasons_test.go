package gateway

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/golden"
	"github.com/flipside-games/flipside/services/internal/serve"
)

const reasonsHead = `# Errors by reason

A failed call has the details of a ` + "`google.rpc.Status`" + `: over gRPC as the status of the call, over REST as the
JSON body. Decide by the ` + "`reason`" + ` in its ` + "`google.rpc.ErrorInfo`" + `. The message is for people and can change.
The ` + "`metadata`" + ` has the variable parts of the message.

| retry | meaning |
| --- | --- |
| no | the call changed nothing, and the same call fails again |
| yes | repeat the same call with the same request id, after the delay in ` + "`RetryInfo`" + ` (over REST ` + "`Retry-After`" + `) |
| after a change | the call changed nothing; it can succeed after the remedy or when the game has changed |

[Streams and retries](streams.md#repeat-a-call) shows a safe repeat. An error without a reason comes from the
transport: repeat the call with the same request id if the code is ` + "`UNAVAILABLE`" + `.

| reason | gRPC | HTTP | retry | cause | remedy |
| --- | --- | --- | --- | --- | --- |
`

const (
	no          = "no"
	yes         = "yes"
	afterChange = "after a change"
)

// remedies has for each reason whether to retry a call, and the remedy.
var remedies = map[fault.Reason]struct{ retry, remedy string }{
	fault.InvalidField:         {no, "Correct the field that the `BadRequest` detail names."},
	fault.UnknownField:         {no, "Remove the field, or correct its name. The path, the query and the body must not repeat a field."},
	fault.OffBoard:             {no, "Choose a cell of the board."},
	fault.InvalidGrid:          {no, "Correct the grid at the line and column in the metadata."},
	fault.InvalidDeck:          {no, "Correct the deck at the line and column in the metadata, or add cards."},
	fault.InvalidNotation:      {no, "Use the notation that the server sends in legal moves and positions."},
	fault.ConflictingRules:     {no, "Leave out one of the two rules."},
	fault.BodyTooLarge:         {no, "Send less than 1 MiB."},
	fault.InvalidKey:           {no, "Send `Authorization: Bearer KEY` with a valid key or token. Get a new token if it has expired."},
	fault.NotYourSeat:          {no, "Use the key of the player who holds the seat."},
	fault.GameNotFound:         {no, "Check the id. Use the key of a player who can see the game."},
	fault.PlayerNotFound:       {no, "Check the id of the player."},
	fault.NotYourTurn:          {afterChange, "Wait for a `turn` of `WatchTurns`."},
	fault.CellTaken:            {no, "Play one of the moves of `ListLegalMoves`."},
	fault.Hole:                 {no, "Play one of the moves of `ListLegalMoves`."},
	fault.FlipsNothing:         {no, "Play one of the moves of `ListLegalMoves`."},
	fault.MustPlace:            {no, "Play one of the moves of `ListLegalMoves`."},
	fault.CardNotInHand:        {no, "Play a card that is in the hand."},
	fault.GameNotStarted:       {afterChange, "Wait until a player takes the open seat."},
	fault.GameStarted:          {no, "Resign instead."},
	fault.GameOver:             {no, "Offer a rematch, or create a new game."},
	fault.SeatTaken:            {no, "Take the other seat, or another game."},
	fault.VersionMismatch:      {afterChange, "Get the game, and decide again on its new version."},
	fault.RequestIDReused:      {no, "Use a new UUID for each new request."},
	fault.RateLimited:          {yes, "Call less often. The operator can raise the limit."},
	fault.TooManyStreams:       {yes, "Close a stream. Follow all games of a player with one `WatchTurns`."},
	fault.BudgetExceeded:       {afterChange, "Use a smaller search or a later deadline. With `RetryInfo`, wait."},
	fault.StoreUnavailable:     {yes, "If it lasts, the operator checks the database."},
	fault.StrategyUnavailable:  {yes, "If it lasts, the operator checks the Strategy service."},
	fault.UnknownPath:          {no, "Check the path in the [API reference](reference.md)."},
	fault.MethodNotAllowed:     {no, "Use a method of the header `Allow`."},
	fault.UnsupportedMediaType: {no, "Send `Content-Type: application/json`, uncompressed."},
	fault.NotAway:              {afterChange, "Claim again at `claimTime`."},
	fault.StoreContended:       {yes, "None; it is rare."},
	fault.NoSuchOffer:          {afterChange, "Get the game: the offer was answered or withdrawn."},
	fault.OfferDeclined:        {afterChange, "Offer again after the next move. Only the opponent can still offer a rematch."},
	fault.NothingToTakeBack:    {afterChange, "Play a move first."},
	fault.GameNotOver:          {afterChange, "Wait for the end of the game."},
	fault.TooManyChanges:       {no, "Play on, or create a new game."},
	fault.TooManyInvitations:   {yes, "Abort a game with an open invitation, or wait for an answer."},
	fault.GameUnavailable:      {yes, "If it lasts, the operator checks the Game service."},
	fault.IssuerUnavailable:    {yes, "If it lasts, the operator checks the issuer of tokens."},
	fault.TooManyConnections:   {yes, "Share one connection between calls."},
	fault.Overloaded:           {yes, "Send smaller requests, or fewer at once."},
	fault.DeadlineExceeded:     {yes, "Use a later deadline."},
	fault.Cancelled:            {yes, "None; the client ended the call."},
	fault.Unimplemented:        {no, "Check the name of the method, and upgrade the server."},
	fault.Internal:             {no, "Report it with the header `X-Request-Id` of the response."},
}

// reasonComment matches the comment of a reason: the code, the HTTP status if it is not that of the
// code, and the text.
var reasonComment = regexp.MustCompile(`(?s)^([A-Z_]+)(?: \(HTTP (\d+)\))?: (.*)$`)

// The test generates docs/errors.md from the protos and the codes of the server.
func TestTheDocumentationListsEveryReason(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	page.WriteString(reasonsHead)
	values := reasonValues(t)
	for i := 1; i < values.Len(); i++ { // The first value is never sent.
		value := values.Get(i)
		name := strings.TrimPrefix(string(value.Name()), "ERROR_REASON_")
		text := value.ParentFile().SourceLocations().ByDescriptor(value).LeadingComments
		text = strings.Join(strings.Fields(text), " ")
		comment := reasonComment.FindStringSubmatch(text)
		remedy, known := remedies[fault.Reason(name)]
		if comment == nil || !known {
			t.Errorf("%s has the remedy %q and the comment %q", name, remedy.remedy, text)
			continue
		}
		s := serve.Status(fault.New(fault.Reason(name), ""))
		status, ok := httpStatuses[name]
		if !ok {
			status = runtime.HTTPStatusFromCode(s.Code())
		}
		if want := code.Code(s.Code()).String(); comment[1] != want || comment[2] != "" && comment[2] != fmt.Sprint(status) {
			t.Errorf("%s: the server returns %s and HTTP %d, the comment has %q", name, want, status, text)
		}
		delayed := strings.Contains(text, "The RetryInfo detail holds the delay before a retry.")
		if delayed && remedy.retry != yes {
			t.Errorf("%s has a RetryInfo and the retry %q", name, remedy.retry)
		}
		cause := strings.ToUpper(comment[3][:1]) + comment[3][1:]
		fmt.Fprintf(&page, "| `%s` | `%s` | %d | %s | %s | %s |\n",
			name, comment[1], status, remedy.retry, cause, remedy.remedy)
	}
	golden.Check(t, "../../../docs/errors.md", []byte(page.String()))
}

// reasonValues returns the values of ErrorReason with their comments.
func reasonValues(t *testing.T) protoreflect.EnumValueDescriptors {
	t.Helper()
	content, err := os.ReadFile("../../gen/descriptor.binpb")
	if err != nil {
		t.Fatal(err)
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(content, &set); err != nil {
		t.Fatal(err)
	}
	files, err := protodesc.NewFiles(&set)
	if err != nil {
		t.Fatal(err)
	}
	found, err := files.FindDescriptorByName("flipside.rules.v1.ErrorReason")
	if err != nil {
		t.Fatal(err)
	}
	return found.(protoreflect.EnumDescriptor).Values()
}
