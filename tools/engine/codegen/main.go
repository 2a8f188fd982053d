// Writes programs of a package schema with Pulumi's own generators, which need no language host:
//
//	codegen sdks SCHEMA FOLDER       FOLDER gets an SDK for each language. Warnings about the schema are errors
//	codegen programs SCHEMA FOLDER   each NAME.pp of FOLDER, a program in PCL, gets a NAME.ts beside it, as `pulumi convert` writes it
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The schema refers to no other package.
var noPlugins = schema.NewPluginLoader(nil)

const version = "0.1.0"

var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return golang.GeneratePackage("pulumi", pkg, nil)
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage("pulumi", pkg, nil, noPlugins)
	},
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage("pulumi", pkg, nil, nil, false, noPlugins)
	},
}

func sdks(spec schema.PackageSpec, folder string) error {
	for language, generator := range generators {
		// Bound anew for each language, because generators change the package.
		pkg, diagnostics, err := schema.BindSpec(spec, noPlugins, schema.ValidationOptions{})
		if err != nil {
			return err
		}
		if len(diagnostics) > 0 {
			return diagnostics
		}
		files, err := generator(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		for name, content := range files {
			path := filepath.Join(folder, language, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func programs(spec schema.PackageSpec, folder string) error {
	pkg, diagnostics, err := schema.BindSpec(spec, noPlugins, schema.ValidationOptions{})
	if err := failed(diagnostics, err); err != nil {
		return err
	}
	// A program may name the version or not.
	packages := schema.NewCachedLoaderWithEntries(noPlugins, map[string]schema.PackageReference{
		pkg.Name + ":": pkg.Reference(), pkg.Identity(): pkg.Reference(),
	})
	names, err := filepath.Glob(filepath.Join(folder, "*.pp"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := program(name, packages); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
	}
	return nil
}

func program(file string, packages schema.Loader) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	parser := syntax.NewParser()
	err = parser.ParseFile(bytes.NewReader(text), filepath.Base(file))
	if err := failed(parser.Diagnostics, err); err != nil {
		return err
	}
	bound, diagnostics, err := pcl.BindProgram(parser.Files, packages)
	if err := failed(diagnostics, err); err != nil {
		return err
	}
	files, diagnostics, err := nodejs.GenerateProgram(bound)
	if err := failed(diagnostics, err); err != nil {
		return err
	}
	return os.WriteFile(strings.TrimSuffix(file, ".pp")+".ts", files["index.ts"], 0o644)
}

// failed is the error of a step, or its diagnostics if one of them is an error.
func failed(diagnostics hcl.Diagnostics, err error) error {
	if err == nil && diagnostics.HasErrors() {
		return diagnostics
	}
	return err
}

var commands = map[string]func(schema.PackageSpec, string) error{"sdks": sdks, "programs": programs}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 || commands[args[0]] == nil {
		return errors.New("usage: codegen sdks | programs SCHEMA FOLDER")
	}
	text, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	spec.Version = version
	return commands[args[0]](spec, args[2])
}
