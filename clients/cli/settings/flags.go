// Package settings reads what the user has set, in flags, the environment and the config file: the
// servers and the key to use, and the boards, players, robots and clocks of new games. It connects
// to the servers, with retries.
package settings

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/render"
)

// UsageError is an error in the command line.
type UsageError struct {
	Message string
}

func (e *UsageError) Error() string { return e.Message }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// FlagError explains the error of an invalid value of a flag: the packages that read numbers and
// times do not say what is allowed.
func FlagError(err error) error {
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	allowed := map[string]string{
		"bool": "true or false", "boolfunc": "true or false", "duration": "a time such as 200ms, 10s or 2m",
		"int": "a whole number", "int64": "a whole number",
		"int32": "a whole number of at most 2147483647",
	}[invalid.GetFlag().Value.Type()]
	if cause := invalid.Unwrap(); allowed != "" && !isAdvice(cause) {
		return fmt.Errorf("%suse %s", strings.TrimSuffix(err.Error(), cause.Error()), allowed)
	}
	return err
}

// isAdvice reports whether an error states what is allowed.
func isAdvice(err error) bool { return strings.HasPrefix(err.Error(), "use ") }

// Flags are the flags that select servers and player. Every command has them.
type Flags struct {
	Address, StrategyAddress, Key, Context string
	TLS                                    TLS
}

// Register adds the flags to a command.
func (f *Flags) Register(flags *pflag.FlagSet) {
	flags.Var(Text(&f.Address), "address",
		"Game service at `host:port` (FLIPSIDE_ADDRESS; default "+DefaultAddress+")")
	flags.Var(Text(&f.StrategyAddress), "strategy-address",
		"Strategy service at `host:port` (FLIPSIDE_STRATEGY_ADDRESS; default "+DefaultStrategyAddress+")")
	flags.Var(Text(&f.Key), "key",
		"secret `key` of your player (FLIPSIDE_KEY, or in a file: FLIPSIDE_KEY_FILE; "+
			"default: the saved key)")
	flags.Var(Text(&f.Context), "context",
		"use the saved context with this `name`; it overrides the environment")
	flags.BoolFunc("tls", "connect over TLS, or with --tls=false without it (FLIPSIDE_TLS)", f.TLS.set)
	flags.Var(Text(&f.TLS.CA), "ca",
		"PEM `file` with the CA bundle for server certificates (FLIPSIDE_CA; "+
			"default: the system's); implies --tls")
	flags.Var(Text(&f.TLS.ClientCert), "client-cert",
		"PEM `file` with the client certificate (FLIPSIDE_CLIENT_CERT); implies --tls")
	flags.Var(Text(&f.TLS.ClientKey), "client-key",
		"PEM `file` with the private key of --client-cert (FLIPSIDE_CLIENT_KEY; default: the same file)")
}

// choice is a flag whose values have names.
type choice[T comparable] struct {
	target *T
	enum   render.Enum[T]
}

// Choice returns a flag that sets target to one of the values of an enum. Names are not
// case-sensitive.
func Choice[T comparable](target *T, enum render.Enum[T]) pflag.Value {
	return &choice[T]{target: target, enum: enum}
}

func (c *choice[T]) Set(name string) error {
	value, ok := c.enum.Value(strings.ToLower(name))
	if !ok {
		return fmt.Errorf("use %s", render.Or(c.enum.Names()))
	}
	*c.target = value
	return nil
}

func (c *choice[T]) String() string { return c.enum.Name(*c.target) }
func (c *choice[T]) Type() string   { return strings.Join(c.enum.Names(), "|") }

// Names lists the allowed values.
func (c *choice[T]) Names() []string { return c.enum.Names() }

// text is a flag for text that is not empty: "" means that the flag is not set, so an empty variable
// of a script would choose a default without notice.
type text string

// Text returns a flag that sets target to text that is not empty.
func Text(target *string) pflag.Value { return (*text)(target) }

func (t *text) Set(value string) error {
	if value == "" {
		return errors.New("it is empty: give a value or leave out the flag")
	}
	*t = text(value)
	return nil
}

func (t *text) String() string { return string(*t) }

// Type returns the placeholder for the value in help; a usage text with backquotes has its own.
func (t *text) Type() string { return "string" }

// Positive is a flag or argument for a whole number from 1. The zero value means that it is not
// set, as in the API.
type Positive int32

// Set reads the number.
func (n *Positive) Set(text string) error {
	value, err := strconv.ParseInt(text, 10, 32)
	if err != nil || value < 1 {
		return errors.New("use a whole number from 1")
	}
	*n = Positive(value)
	return nil
}

func (n *Positive) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// Type returns the placeholder for the value in help.
func (n *Positive) Type() string { return "n" }

// duration is a flag for what [time.ParseDuration] reads, and for whole days.
type duration time.Duration

var errDuration = errors.New("use a duration such as 90s, 10m or 3d")

func (d *duration) Set(text string) error {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil || n == 0 {
			return errDuration
		}
		*d = duration(time.Duration(n) * render.Day)
		return nil
	}
	value, err := time.ParseDuration(text)
	if err != nil || value < 0 {
		return errDuration
	}
	*d = duration(value)
	return nil
}

func (d *duration) String() string {
	if *d == 0 {
		return ""
	}
	return render.Duration(time.Duration(*d))
}

func (d *duration) Type() string { return "duration" }

// FileFlag returns the name of the flag whose file a server rejects with a reason, "" for another
// reason.
func FileFlag(reason string) string {
	return map[string]string{"INVALID_GRID": "grid", "INVALID_DECK": "deck"}[reason]
}

// fieldFlags are the flags that set fields of requests, by the last part of the path of a field.
var fieldFlags = map[string]string{
	"perMove": "clock", "days": "clock", "initial": "clock", "increment": "clock",
	"claimAfter": "claim-after", "minFlips": "min-flips", "startFrom": "start-from",
	"maxDepth": "depth", "maxTime": "time", "maxNodes": "nodes", "threads": "threads",
}

// FieldFlag returns the name of the flag that sets a field of a request, "" if there is none.
func FieldFlag(path string) string {
	return fieldFlags[path[strings.LastIndexByte(path, '.')+1:]]
}
