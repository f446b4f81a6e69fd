// Package web holds the built files of the web board. `npm run build` in this folder makes them.
package web

import (
	"embed"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Files returns the files of the board: index.html and what it loads.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // The path is a constant.
	}
	return files
}
