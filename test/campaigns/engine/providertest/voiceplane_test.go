// Package providertest runs the plugin under Pulumi's own harness for providers, which starts it once and has the engine attach to it
// for each operation. providertest.test.ts runs it, and checks the requests.
package providertest

import (
	"os"
	"testing"

	"github.com/pulumi/providertest/pulumitest"
	"github.com/pulumi/providertest/pulumitest/assertpreview"
	"github.com/pulumi/providertest/pulumitest/assertrefresh"
	"github.com/pulumi/providertest/pulumitest/assertup"
	"github.com/pulumi/providertest/pulumitest/opttest"
)

func TestLifecycle(t *testing.T) {
	test := pulumitest.NewPulumiTest(t, "programs/first",
		opttest.AttachProviderBinary("voiceplane", os.Getenv("VOICEPLANE_PLUGINS")),
		opttest.SkipInstall())

	assertpreview.HasNoDeletes(t, test.Preview(t))
	up := test.Up(t)
	assertup.HasNoDeletes(t, up)
	if !up.Outputs["webhookSecrets"].Secret {
		t.Error("the signing secrets are not secret")
	}
	assertpreview.HasNoChanges(t, test.Preview(t))
	assertup.HasNoChanges(t, test.Up(t))
	assertrefresh.HasNoChanges(t, test.Refresh(t))

	test.UpdateSource(t, "programs/second")
	assertpreview.HasNoReplacements(t, test.Preview(t))
	assertup.HasNoReplacements(t, test.Up(t))
	assertpreview.HasNoChanges(t, test.Preview(t))
	test.Destroy(t)
}
