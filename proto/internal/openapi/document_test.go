package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// document returns the rendered document.
func document(t *testing.T) object {
	t.Helper()
	descriptors, err := os.ReadFile("../../../gen/descriptor.binpb")
	if err != nil {
		t.Fatal(err)
	}
	text, err := render(descriptors)
	if err != nil {
		t.Fatal(err)
	}
	var doc object
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func schema(t *testing.T, doc object, name string) object {
	t.Helper()
	found, ok := within(doc, "components", "schemas")[name].(object)
	if !ok {
		t.Fatalf("there is no schema %s", name)
	}
	return found
}

// Generators of clients lose the type of a schema with these keywords.
func TestMessagesArePlainObjects(t *testing.T) {
	t.Parallel()
	for name, value := range within(document(t), "components", "schemas") {
		for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
			if value.(object)[keyword] != nil {
				t.Errorf("%s has %s", name, keyword)
			}
		}
	}
}

// Some generators of clients reject a boolean as the schema of a property.
func TestPropertiesAreObjects(t *testing.T) {
	t.Parallel()
	for name, value := range within(document(t), "components", "schemas") {
		wantObjects(t, name, value)
	}
}

func wantObjects(t *testing.T, place string, value any) {
	t.Helper()
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			wantObjects(t, place, element)
		}
	case object:
		for keyword, inner := range value {
			wantObjects(t, place+"."+keyword, inner)
		}
		properties, _ := value["properties"].(object)
		for name, property := range properties {
			if _, ok := property.(object); !ok {
				t.Errorf("%s: the schema of %s is %v, want an object", place, name, property)
			}
		}
	}
}

func TestRequestsAndResponsesDiffer(t *testing.T) {
	t.Parallel()
	doc := document(t)
	input, output := schema(t, doc, "RobotInput"), schema(t, doc, "Robot")
	if got := names(input["required"]); !slices.Equal(got, []string{"strategy"}) {
		t.Errorf("a request needs %q of a robot, want the strategy", got)
	}
	if got := names(output["required"]); !slices.Equal(got, []string{"strategy", "provider", "seed"}) {
		t.Errorf("a response has %q of a robot, want all fields", got)
	}
	if input["additionalProperties"] != false || output["additionalProperties"] != nil {
		t.Error("requests reject unknown properties, responses can have more of them")
	}
	if within(schema(t, doc, "Seat"), "properties")["caller"] != nil {
		t.Error("Seat in a response has the input-only field caller")
	}
	if got := within(schema(t, doc, "SeatInput"), "properties", "side")["readOnly"]; got != true {
		t.Error("side of a seat in a request is not marked readOnly")
	}
	if got := names(schema(t, doc, "Game")["required"]); slices.Contains(got, "turn") || !slices.Contains(got, "position") {
		t.Errorf("a response has %q of a game, want the position but no turn", got)
	}
}

func TestRulesBecomeLimits(t *testing.T) {
	t.Parallel()
	doc := document(t)
	for _, c := range []struct {
		schema, property, keyword string
		want                      any
	}{
		{"HexagonBoardInput", "rings", "maximum", 12.0},
		{"SquareBoardInput", "side", "multipleOf", 2.0},
		{"CreateGameRequest", "requestId", "format", "uuid"},
		{"CreateGameRequest", "seats", "maxItems", 2.0},
		{"CreatePlayerRequest", "displayName", "maxLength", 64.0},
		{"Game", "createTime", "format", "date-time"},
		{"PlayMatchRequestSprt", "alpha", "exclusiveMaximum", 0.5},
		{"RobotInput", "options", "type", "object"},
	} {
		if got := within(schema(t, doc, c.schema), "properties", c.property)[c.keyword]; got != c.want {
			t.Errorf("%s.%s: %s is %v, want %v", c.schema, c.property, c.keyword, got, c.want)
		}
	}
	if setup := schema(t, doc, "SetupInput"); setup["minProperties"] != 1.0 || setup["maxProperties"] != 1.0 {
		t.Errorf("SetupInput allows %v to %v properties, want exactly 1", setup["minProperties"], setup["maxProperties"])
	}
}

func TestErrorsBecomeResponses(t *testing.T) {
	t.Parallel()
	responses := within(document(t), "paths", "/v1/games/{game_id}/moves", "post", "responses")
	for status, reasons := range map[string][]string{
		"400": {"NOT_YOUR_TURN", "FLIPS_NOTHING", "INVALID_NOTATION"},
		"401": {"INVALID_KEY"},
		"403": {"NOT_YOUR_SEAT"},
		"404": {"GAME_NOT_FOUND"},
		"409": {"VERSION_MISMATCH", "REQUEST_ID_REUSED", "STORE_CONTENDED"},
		"413": {"BODY_TOO_LARGE"},
		"429": {"RATE_LIMITED"},
		"503": {"STORE_UNAVAILABLE"},
	} {
		description, _ := within(responses, status)["description"].(string)
		for _, reason := range reasons {
			if !strings.Contains(description, "`"+reason+"`: ") {
				t.Errorf("%s lacks %s: %s", status, reason, description)
			}
		}
	}
}

// A header with other characters is rejected.
func TestExternalIDIsPrintable(t *testing.T) {
	t.Parallel()
	schema := within(document(t), "components", "parameters", "OnBehalfOf", "schema")
	if schema["pattern"] != "^[ -~]*$" {
		t.Errorf("Flipside-On-Behalf-Of has the schema %v, want printable characters", schema)
	}
}

func names(list any) []string {
	var texts []string
	for _, value := range list.([]any) {
		texts = append(texts, value.(string))
	}
	return texts
}
