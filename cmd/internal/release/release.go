// Package release contains the version of the programs.
package release

// Version is the version of the product. The clients' packages and the deployment files repeat it.
const Version = "0.1.0"
