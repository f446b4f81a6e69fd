package apitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// document returns the golden file of an answer: sorted JSON or the content of an HttpBody, without
// the values that differ between runs.
func (s *scene) document(got *answer) []byte {
	s.Helper()
	if body, ok := got.message.(*httpbody.HttpBody); ok {
		return []byte("Content-Type: " + body.GetContentType() + "\n\n" + s.normalize(string(body.GetData())))
	}
	text := got.json
	if text == nil {
		text, _ = protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(got.message)
	}
	var decoded any
	if err := json.Unmarshal(text, &decoded); err != nil {
		s.Fatalf("%v: %s", err, text)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(s.normalized(decoded, "")); err != nil {
		s.Fatal(err)
	}
	return out.Bytes()
}

// normalized replaces the values that differ between runs in decoded JSON. name is the name of the
// field.
func (s *scene) normalized(value any, name string) any {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			value[name] = s.normalized(inner, name)
		}
		return value
	case []any:
		for i, inner := range value {
			value[i] = s.normalized(inner, name)
		}
		return value
	case string:
		switch {
		case name == "cursor" || name == "nodesPerSecond" || name == "nextPageToken" && value != "":
			return "{" + name + "}"
		case name == "time" && strings.HasSuffix(value, "s"):
			return "{duration}"
		}
		return s.normalize(value)
	}
	return value
}

var (
	ulid      = regexp.MustCompile(`[0-9a-hjkmnp-tv-z]{26}`)
	timestamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	secret    = regexp.MustCompile(`(flk|whsec)_\S+`)
	generated = regexp.MustCompile(`player-[0-9a-z]{6}`)
)

// normalize replaces ids, keys and times with names.
func (s *scene) normalize(text string) string {
	text = secret.ReplaceAllString(text, "{key}")
	if s.game != "" {
		text = strings.ReplaceAll(text, s.game, "{game}")
	}
	s.server.mu.Lock()
	for name, p := range s.server.players {
		text = strings.ReplaceAll(text, p.id, "{"+name+"}")
	}
	s.server.mu.Unlock()
	text = timestamp.ReplaceAllString(ulid.ReplaceAllString(text, "{id}"), "{time}")
	return generated.ReplaceAllString(text, "player-{id}")
}

// checkShape checks the JSON of a message: names in lowerCamel, every field except unset messages,
// enums by name, and 64-bit integers as strings.
func checkShape(t *testing.T, text []byte, d protoreflect.MessageDescriptor) {
	t.Helper()
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatalf("%s is not a JSON object: %s", d.Name(), text)
	}
	for i := range d.Fields().Len() {
		field := d.Fields().Get(i)
		value, ok := object[field.JSONName()]
		delete(object, field.JSONName())
		if !ok {
			if !field.HasPresence() {
				t.Errorf("%s is missing", field.FullName())
			}
			continue
		}
		for _, element := range valuesOf(value, field) {
			checkValue(t, element, field)
		}
	}
	for name := range object {
		t.Errorf("%s has no field %s", d.Name(), name)
	}
}

func valuesOf(value json.RawMessage, field protoreflect.FieldDescriptor) []json.RawMessage {
	if !field.IsList() {
		return []json.RawMessage{value}
	}
	var list []json.RawMessage
	json.Unmarshal(value, &list)
	return list
}

var (
	enumValue = regexp.MustCompile(`^"[A-Z][A-Z0-9_]+"$`)
	bigNumber = regexp.MustCompile(`^"-?\d+"$`)
)

func checkValue(t *testing.T, value json.RawMessage, field protoreflect.FieldDescriptor) {
	t.Helper()
	switch field.Kind() {
	case protoreflect.EnumKind:
		if !enumValue.Match(value) {
			t.Errorf("%s is %s, want a name", field.FullName(), value)
		}
	case protoreflect.Int64Kind:
		if !bigNumber.Match(value) {
			t.Errorf("%s is %s, want a string of digits", field.FullName(), value)
		}
	case protoreflect.MessageKind:
		if field.Message().ParentFile().Package() != "google.protobuf" {
			checkShape(t, value, field.Message())
		}
	default:
		if string(value) == "null" {
			t.Errorf("%s is null", field.FullName())
		}
	}
}

// checkPart checks that an answer contains the fields of part.
func checkPart(t *testing.T, got *answer, part string) {
	t.Helper()
	text, _ := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(got.message)
	if got.json != nil {
		text = got.json
	}
	var whole, wanted any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(part), &wanted); err != nil {
		t.Fatalf("%v: %s", err, part)
	}
	for _, difference := range differences("", wanted, whole) {
		t.Error(difference)
	}
}

// differences returns the differences of whole from the part wanted.
func differences(path string, wanted, whole any) []string {
	var found []string
	switch wanted := wanted.(type) {
	case map[string]any:
		object, _ := whole.(map[string]any)
		for name, inner := range wanted {
			value, ok := object[name]
			if inner == nil && !ok { // null stands for a missing field.
				continue
			}
			found = append(found, differences(path+"."+name, inner, value)...)
		}
	case []any:
		list, _ := whole.([]any)
		if len(list) != len(wanted) {
			return []string{fmt.Sprintf("%s has %d elements, want %d: %v", path, len(list), len(wanted), whole)}
		}
		for i, inner := range wanted {
			found = append(found, differences(fmt.Sprintf("%s[%d]", path, i), inner, list[i])...)
		}
	default:
		if wanted != whole {
			found = append(found, fmt.Sprintf("%s is %v, want %v", path, whole, wanted))
		}
	}
	return found
}

// checkSameAnswer checks that two answers are equal except for the field replayed.
func checkSameAnswer(t *testing.T, first, second proto.Message) {
	t.Helper()
	first, second = proto.Clone(first), proto.Clone(second)
	for _, m := range []proto.Message{first, second} {
		m.ProtoReflect().Clear(m.ProtoReflect().Descriptor().Fields().ByName("replayed"))
	}
	if !proto.Equal(first, second) {
		t.Errorf("the answers differ:\n%v\n%v", first, second)
	}
}
