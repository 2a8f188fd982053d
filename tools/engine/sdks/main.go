// Writes the SDKs of a package with Pulumi's own generators, which need no language host:
//
//	sdks SCHEMA VERSION FOLDER
//
// FOLDER gets one folder for each language. Diagnostics of the schema are errors, warnings included.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The schema refers to no other package.
var loader = schema.NewPluginLoader(nil)

var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return golang.GeneratePackage("pulumi", pkg, nil)
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage("pulumi", pkg, nil, loader)
	},
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage("pulumi", pkg, nil, nil, false, loader)
	},
}

func generate(file, version, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	spec.Version = version
	for language, generator := range generators {
		// Bound anew for each language, because generators change the package.
		pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
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

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: sdks SCHEMA VERSION FOLDER")
		os.Exit(2)
	}
	if err := generate(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
