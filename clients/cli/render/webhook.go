package render

import (
	"fmt"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// Webhook describes a webhook in a table, with the secret unless that is "".
func Webhook(w *gamev1.Webhook, secret string) string {
	if w == nil {
		return "You have no webhook.\n"
	}
	state := "enabled"
	if w.GetDisabled() {
		state = "disabled: set it again to enable it"
	}
	rows := []string{
		Row("url", w.GetUrl()), Row("since", LocalTime(w.GetCreateTime())), Row("state", state),
	}
	if n := w.GetFailures(); n > 0 {
		rows = append(rows,
			Row("failures", fmt.Sprintf("%d since %s", n, LocalTime(w.GetFailingSince()))),
			Row("last failure", w.GetLastFailure()))
	}
	if w.GetRetryTime() != nil {
		rows = append(rows, Row("next attempt", LocalTime(w.GetRetryTime())))
	}
	if secret != "" {
		rows = append(rows, Row("secret", secret))
	}
	return Table(rows...)
}
