// Package docstest runs the commands and the programs of the documentation.
//
// A page is a script: its blocks run from top to bottom, in one folder, with the variables that
// earlier blocks set. A block after "as `NAME`:" is a file. The other blocks with a language are
// commands. A block without a language is the output of the commands before it; "…" in it stands
// for any text.
//
// A block that cannot run has the line `<!-- not run: REASON -->` in front of it.
package docstest
