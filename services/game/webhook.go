package game

import "time"

// Webhook is a URL that receives the notices of its owner: a player, or a service for all its
// users.
type Webhook struct {
	Owner WebhookOwner
	URL   string
	// Secret is the key of the signatures: whsec_ and Base64.
	Secret string
	// Created is the time when the owner set their first webhook, Updated the time when they set
	// this one.
	Created, Updated time.Time
	Delivery
}

// WebhookOwner is a player or a service; the other field is "".
type WebhookOwner struct{ Player, Service string }

// Delivery is the progress of the deliveries of a webhook in one shard.
type Delivery struct {
	// Cursor is the number of the change up to which all notices are delivered.
	Cursor int64
	// Failures is the number of failed attempts since the last success. FailingSince is the time of
	// the first of them and LastFailure the reason of the last one; both are zero if there is none.
	Failures     int
	FailingSince time.Time
	LastFailure  string
	// NextAttempt is the time before which there is no further attempt.
	NextAttempt time.Time
	// Disabled webhooks get no deliveries.
	Disabled bool
}
