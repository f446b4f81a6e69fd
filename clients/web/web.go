// Package web holds the built files of the website: the board and the page of the API.
// `npm run build` in this folder makes them.
package web

import (
	"embed"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Files returns index.html, docs.html and the files that they load.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // The path is a constant.
	}
	return files
}
