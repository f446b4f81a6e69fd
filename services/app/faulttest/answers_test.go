package faulttest

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// chooseNotation is a provider that answers with the notation of the first legal move only.
func chooseNotation(
	_ context.Context, in *strategyv1.ChooseMoveRequest,
) (*strategyv1.ChooseMoveResponse, error) {
	p, err := games.Parse(in.GetPosition().GetNotation())
	if err != nil {
		return nil, err
	}
	notation := p.MoveNotation(p.Legal()[0])
	return &strategyv1.ChooseMoveResponse{Chosen: &strategyv1.Candidate{Notation: notation}}, nil
}

// The server plays the move of a provider that answers with a notation. It replaces other answers:
// it logs the provider and the field, records the reason in the event, and counts the moves.
func TestAnswersOfProviders(t *testing.T) {
	always := func(chosen *strategyv1.Candidate) provider {
		return func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
			return &strategyv1.ChooseMoveResponse{Chosen: chosen}, nil
		}
	}
	rejects := func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
		return nil, status.Error(codes.InvalidArgument, "unknown strategy")
	}
	tests := []struct {
		provider      string
		choose        provider
		reason, field string
	}{
		{"notation", chooseNotation, "", ""},
		{"message", firstMove, "", ""},
		{"empty", always(nil), "invalidAnswer", "chosen.move"},
		{"unreadable", always(&strategyv1.Candidate{Notation: "nowhere"}), "invalidAnswer", "chosen.notation"},
		{"illegal", always(&strategyv1.Candidate{Notation: "0,0"}), "illegalMove", "chosen"},
		{"silent", neverAnswer, "noAnswer", ""},
		{"rejects", rejects, "rejected", ""},
	}
	args := []string{"--robot-grace-period", "300ms", "--robot-retry-delay", "1ms"}
	for _, tt := range tests {
		args = append(args, "--strategy-provider", tt.provider+"="+tt.choose.serve(t))
	}
	server := run(t, filepath.Join(t.TempDir(), "games.db"), args...)
	ann := server.join(t)
	for _, tt := range tests {
		t.Run(tt.provider, func(t *testing.T) {
			g := ann.create(t, hexagon(2), robotSeat(tt.provider), robotSeat(tt.provider))
			ann.countDelays(t, g.GetId()) // It waits for the end.
			var first *gamev1.MovePlayed
			for _, e := range ann.log(t, g.GetId()) {
				if m := e.GetMovePlayed(); m != nil && first == nil {
					first = m
				}
			}
			if tt.reason == "" {
				if first.GetAutomatic() || first.GetSubstitute() != nil {
					t.Errorf("automatic %v, substitute %v", first.GetAutomatic(), first.GetSubstitute())
				}
				return
			}
			want := &gamev1.Substitute{Provider: tt.provider, Reason: substituteReason(tt.reason)}
			if !proto.Equal(first.GetSubstitute(), want) || !first.GetAutomatic() {
				t.Errorf("automatic %v, substitute %v, want %v", first.GetAutomatic(), first.GetSubstitute(), want)
			}
			name := fmt.Sprintf("flipside_robot_substitutes_total{provider=%q,reason=%q}", tt.provider, tt.reason)
			if metric(t, server.metrics[0], name) == 0 {
				t.Errorf("%s is 0", name)
			}
			logged := server.log.containing(fmt.Sprintf(`"provider":%q,"attempt":1,"reason":%q,"field":%q`,
				tt.provider, tt.reason, tt.field))
			if len(logged) == 0 {
				t.Errorf("the log does not name the provider and the field: %s", server.log)
			}
		})
	}
}

// substituteReason returns the value of the API for a reason in metrics, such as noAnswer.
func substituteReason(reason string) gamev1.SubstituteReason {
	for name, value := range gamev1.SubstituteReason_value {
		short := strings.ReplaceAll(strings.TrimPrefix(name, "SUBSTITUTE_REASON_"), "_", "")
		if strings.EqualFold(short, reason) {
			return gamev1.SubstituteReason(value)
		}
	}
	panic("unknown reason: " + reason)
}
