// Speaks Pulumi Cloud's HTTP protocol to the real CLI, for tests. Keeps everything in memory:
//
//	cloud TOKEN
//
// The first line of stdout is the server's address, on loopback. It ends when stdin does.
//
// What a server may answer is taken from the CLI's own client (pkg/v3/backend/httpstate), and the texts of errors from
// what users of Pulumi Cloud report. The journal is replayed by the CLI's own code, backend.NewJournalReplayer.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: cloud TOKEN")
		os.Exit(2)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Fprintln(os.Stderr, http.Serve(listener, newServer(os.Args[1]).handler()))
	os.Exit(1)
}
