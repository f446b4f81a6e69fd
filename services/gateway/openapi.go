package gateway

import (
	"encoding/json"
	"fmt"

	"github.com/flipside-games/flipside/gen"
)

// openAPI returns the OpenAPI document with the version of the server.
func openAPI(version string) ([]byte, error) {
	var doc map[string]any
	if err := json.Unmarshal(gen.OpenAPI, &doc); err != nil {
		return nil, fmt.Errorf("generated OpenAPI document: %w", err)
	}
	info, ok := doc["info"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("generated OpenAPI document: info is missing")
	}
	info["version"] = version
	return json.MarshalIndent(doc, "", " ")
}
