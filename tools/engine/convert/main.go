// Writes programs in TypeScript from programs in PCL, as `pulumi convert` does with the vendor's language host:
//
//	convert SCHEMA FOLDER
//
// Each NAME.pp of FOLDER gets a NAME.ts beside it. SCHEMA is the only package that they may use.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type loader struct{ pkg *schema.Package }

func (l loader) load(name string) (*schema.Package, error) {
	if name != l.pkg.Name {
		return nil, fmt.Errorf("another package: %s", name)
	}
	return l.pkg, nil
}

func (l loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) { return l.load(name) }

func (l loader) LoadPackageV2(_ context.Context, of *schema.PackageDescriptor) (*schema.Package, error) {
	return l.load(of.Name)
}

func (l loader) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.load(name)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l loader) LoadPackageReferenceV2(_ context.Context, of *schema.PackageDescriptor) (schema.PackageReference, error) {
	return l.LoadPackageReference(of.Name, nil)
}

func convert(file string, packages loader) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	parser := syntax.NewParser()
	if err := parser.ParseFile(bytes.NewReader(text), filepath.Base(file)); err != nil {
		return err
	}
	if parser.Diagnostics.HasErrors() {
		return parser.Diagnostics
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, packages)
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	files, diagnostics, err := nodejs.GenerateProgram(program)
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	return os.WriteFile(strings.TrimSuffix(file, ".pp")+".ts", files["index.ts"], 0o644)
}

func convertAll(file, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	spec.Version = "0.1.0"
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewPluginLoader(nil), schema.ValidationOptions{})
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.pp"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := convert(name, loader{pkg}); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
	}
	return nil
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: convert SCHEMA FOLDER")
		os.Exit(2)
	}
	if err := convertAll(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
