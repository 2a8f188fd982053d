// The same as run.py for a program in Go, in place of pulumi.Run.
package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func automate(program pulumi.RunFunc) {
	ctx := context.Background()
	stack, err := auto.UpsertStackInlineSource(ctx, "dev", "sdks", program)
	check(err)
	check(stack.SetConfig(ctx, "voiceplane:organization", auto.ConfigValue{Value: "acme"}))
	if os.Args[1] == "destroy" {
		_, err := stack.Destroy(ctx)
		check(err)
		return
	}
	result, err := stack.Up(ctx)
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(result.Summary.ResourceChanges))
}

func check(err error) {
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
}
