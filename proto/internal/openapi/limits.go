package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// limit adds the validation rules of a field to its schema.
func limit(schema object, field protoreflect.FieldDescriptor, rules *validate.FieldRules) {
	switch field.Kind() {
	case protoreflect.StringKind:
		limitString(schema, rules)
	case protoreflect.Int32Kind:
		limitInteger(schema, rules.GetInt32())
	case protoreflect.Int64Kind:
		low := int64(math.MinInt64)
		if rules.GetInt64().HasGte() {
			low = rules.GetInt64().GetGte()
		}
		schema["pattern"] = integerPattern(low)
	case protoreflect.DoubleKind:
		limitDouble(schema, rules.GetDouble())
	case protoreflect.EnumKind:
		if rules.GetRequired() || len(rules.GetEnum().GetNotIn()) > 0 {
			schema["not"] = object{"const": string(field.Enum().Values().Get(0).Name())}
		}
	case protoreflect.MessageKind:
		if duration := rules.GetDuration(); duration != nil {
			schema["pattern"] = durationPattern(
				duration.GetGte().GetSeconds(), duration.GetLte().GetSeconds())
		}
	default: // No other kind has rules.
	}
}

func limitString(schema object, rules *validate.FieldRules) {
	text := rules.GetString()
	if text.GetUuid() {
		schema["format"] = "uuid"
	}
	if text.HasMaxLen() {
		schema["maxLength"] = text.GetMaxLen()
	}
	if text.HasPattern() {
		schema["pattern"] = text.GetPattern()
	}
	if text.GetMinLen() > 0 || rules.GetRequired() {
		schema["minLength"] = max(text.GetMinLen(), 1)
	}
}

func limitInteger(schema object, rules *validate.Int32Rules) {
	schema["minimum"], schema["maximum"] = math.MinInt32, math.MaxInt32
	if rules.HasGte() {
		schema["minimum"] = rules.GetGte()
	}
	if rules.HasLte() {
		schema["maximum"] = rules.GetLte()
	}
}

func limitDouble(schema object, rules *validate.DoubleRules) {
	if rules.HasGte() {
		schema["minimum"] = rules.GetGte()
	}
	if rules.HasLte() {
		schema["maximum"] = rules.GetLte()
	}
	if rules.HasLt() {
		schema["exclusiveMaximum"] = rules.GetLt()
	}
}

// integerPattern returns a pattern of the 64-bit integers from a negative number or zero on.
func integerPattern(low int64) string {
	positive := "(" + numberPattern(0, math.MaxInt64) + ")"
	if low < 0 {
		return "^-?" + positive + "$"
	}
	return "^" + positive + "$"
}

// durationPattern returns a pattern of the durations between two numbers of seconds.
func durationPattern(low, high int64) string {
	return fmt.Sprintf(`^((%s)(\.[0-9]{1,9})?|%d(\.0{1,9})?)s$`, numberPattern(low, high-1), high)
}

// numberPattern returns a pattern of the decimal numbers from low to high.
func numberPattern(low, high int64) string {
	from, to := strconv.FormatInt(low, 10), strconv.FormatInt(high, 10)
	if len(from) == len(to) {
		return strings.Join(digitPatterns(from, to), "|")
	}
	patterns := digitPatterns(from, strings.Repeat("9", len(from)))
	if between := len(to) - len(from) - 1; between == 1 {
		patterns = append(patterns, "[1-9]"+anyDigits(len(from)))
	} else if between > 1 {
		patterns = append(patterns, fmt.Sprintf("[1-9][0-9]{%d,%d}", len(from), len(to)-2))
	}
	patterns = append(patterns, digitPatterns("1"+strings.Repeat("0", len(to)-1), to)...)
	return strings.Join(patterns, "|")
}

// digitPatterns returns patterns of the numbers between two numbers of equally many digits.
func digitPatterns(low, high string) []string {
	if rest := len(low) - 1; strings.Trim(low[1:], "0") == "" && strings.Trim(high[1:], "9") == "" {
		return []string{digitRange(low[0], high[0]) + anyDigits(rest)}
	}
	if low[0] == high[0] {
		return withPrefix(low[:1], digitPatterns(low[1:], high[1:]))
	}
	nines, zeros := strings.Repeat("9", len(low)-1), strings.Repeat("0", len(low)-1)
	if low[1:] != zeros {
		return append(withPrefix(low[:1], digitPatterns(low[1:], nines)),
			digitPatterns(string(low[0]+1)+zeros, high)...)
	}
	return append(digitPatterns(low, string(high[0]-1)+nines),
		withPrefix(high[:1], digitPatterns(zeros, high[1:]))...)
}

func withPrefix(prefix string, patterns []string) []string {
	for i, pattern := range patterns {
		patterns[i] = prefix + pattern
	}
	return patterns
}

func digitRange(low, high byte) string {
	if low == high {
		return string(low)
	}
	return "[" + string(low) + "-" + string(high) + "]"
}

func anyDigits(count int) string {
	switch count {
	case 0:
		return ""
	case 1:
		return "[0-9]"
	}
	return fmt.Sprintf("[0-9]{%d}", count)
}
