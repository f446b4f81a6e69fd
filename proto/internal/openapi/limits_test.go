package main

import (
	"regexp"
	"strconv"
	"testing"
)

func TestNumberPatternMatchesItsRange(t *testing.T) {
	t.Parallel()
	for _, bounds := range [][2]int64{{0, 0}, {0, 9}, {0, 49}, {1, 43199}, {5, 1000}, {17, 23}, {99, 100}, {0, 3599}, {1234, 5678}} {
		low, high := bounds[0], bounds[1]
		pattern := regexp.MustCompile("^(" + numberPattern(low, high) + ")$")
		for n := int64(0); n <= high+1001; n++ {
			if got, want := pattern.MatchString(strconv.FormatInt(n, 10)), low <= n && n <= high; got != want {
				t.Fatalf("%d to %d: the pattern %s matches %d: %v, want %v", low, high, pattern, n, got, want)
			}
		}
	}
}

func TestPatternsMatchTheirLimits(t *testing.T) {
	t.Parallel()
	for pattern, texts := range map[string]map[string]bool{
		durationPattern(1, 60): {
			"1s": true, "59.999999999s": true, "60s": true, "60.000s": true,
			"0.9s": false, "60.1s": false, "61s": false, "1.s": false, "-1s": false, "1": false,
		},
		integerPattern(-1): {
			"-9223372036854775807": true, "9223372036854775807": true, "0": true,
			"9223372036854775808": false, "": false, "1.5": false,
		},
		integerPattern(0): {"0": true, "7": true, "-1": false},
	} {
		for text, want := range texts {
			if got := regexp.MustCompile(pattern).MatchString(text); got != want {
				t.Errorf("%s matches %q: %v, want %v", pattern, text, got, want)
			}
		}
	}
}
