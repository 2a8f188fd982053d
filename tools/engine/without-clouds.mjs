/**
 * Edits of the CLI's sources that leave out what this project never calls and what takes most of the build: the drivers of AWS, Azure and Google
 * for states and keys, `pulumi logs` of their resources, and the reader of OpenAPI documents for `pulumi api`. A URL or command of these then
 * fails and says so. The rest is the vendor's. docs/contributing/engine.md lists the differences.
 */
import { chmod, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

const noApi = `func LoadIndex(ctx context.Context, warnW io.Writer, refresh bool) (*Index, error) {
	return nil, NewAPIError(cmdutil.ExitInternalError, ErrSpecParse, "this Pulumi CLI was built without the command api")
}
`;

/** Otherwise the CLI takes such an address for one of Pulumi Cloud. Now it opens it, and says that there is no driver. */
const isBucket = `return u.Scheme == "s3" || u.Scheme == "gs" || u.Scheme == "azblob" ||
\t\tblob.DefaultURLMux().ValidBucketScheme(u.Scheme)`;

const noLogs = `case "cloud", "aws", "gcp":
\t\treturn nil, errors.New("this Pulumi CLI was built without the logs of AWS and Google Cloud")
\t`;

/** A line with this text. */
const lines = (...texts) => texts.map((text) => [text, "\n", ""]);

/**
 * By file of the module `pkg/v3`: texts from the first one to before the second one (default: the end of the file), and what takes their place.
 * `undefined` removes the file.
 */
export const edits = {
  "backend/diy/backend.go": [
    ...lines('"gocloud.dev/blob/azureblob"', '"gocloud.dev/blob/gcsblob"', '_ "gocloud.dev/blob/s3blob"'),
    ...lines('"github.com/pulumi/pulumi/pkg/v3/authhelpers"'),
    ["return blob.DefaultURLMux().ValidBucketScheme(u.Scheme)", "\n", isBucket],
    ["// for gcp we want to support", "bucket, err := blobmux.OpenBucket(", ""],
  ],
  "backend/diy/bucket.go": [
    ...lines('awss3 "github.com/aws/aws-sdk-go-v2/service/s3"', '"net/url"'),
    ["var optsCopy blob.CopyOptions", "return b.bucket.Copy(", ""],
    ["filepath.ToSlash(srcKey), &optsCopy", ")", "filepath.ToSlash(srcKey), opts"],
    ["// fixupS3CopySource rewrites", "func (b *wrappedBucket) Delete(", ""],
  ],
  "secrets/cloud/manager.go": [
    ...lines('_ "gocloud.dev/secrets/awskms"', '_ "gocloud.dev/secrets/azurekeyvault"', '"gocloud.dev/secrets/gcpkms"'),
    ...lines(
      '"google.golang.org/api/cloudkms/v1"',
      '"github.com/pulumi/pulumi/pkg/v3/authhelpers"',
      'netUrl "net/url"',
    ),
    ["u, err := netUrl.Parse(url)", "\n}\n", "return gosecrets.OpenKeeper(ctx, url)"],
  ],
  "operations/operations_aws.go": undefined,
  "operations/operations_cloud_aws.go": undefined,
  "operations/operations_gcp.go": undefined,
  "operations/resources.go": [
    ['"context"', "\n", '"context"\n\t"errors"'],
    ['case "cloud":', "default:", noLogs],
  ],
  "cmd/pulumi/cloud/spec.go": [
    ...lines('"fmt"', '"slices"', '"sort"', '"strings"', '"github.com/pb33f/libopenapi"'),
    ...lines(
      '"github.com/pb33f/libopenapi/datamodel/high/base"',
      'v3high "github.com/pb33f',
      '"github.com/pb33f/libopenapi/orderedmap"',
    ),
    ["func LoadIndex(", "\n// Key returns", noApi],
    ["func parseIndex(", "func isSuccessStatus(", ""],
    ["// isInternalOp reports", undefined, ""],
  ],
  "cmd/pulumi/cloud/schema.go": [
    ["import (", "\n)", 'import (\n\t"strings"'],
    ["// schemaRenderer renders", "func markdownEnumTail(", ""],
    ["func nonNil(", undefined, ""],
  ],
};

/** @throws Error that names the file and the text if an edit does not fit: then the vendor's version is another one */
function edited(file, text, [start, end, put]) {
  const from = text.indexOf(start);
  const to = end === undefined ? text.length : text.indexOf(end, from + start.length);
  if (from < 0 || to < 0 || text.includes(start, from + 1))
    throw new Error(`${file} of the Pulumi CLI is not as expected at "${from < 0 || to >= 0 ? start : end}"`);
  return text.slice(0, from) + put + text.slice(to);
}

/**
 * A copy of the module with the edits.
 *
 * @param {string} source the module's folder, as Go has downloaded and verified it
 * @param {string} folder gets the copy
 */
export async function copyWithoutClouds(source, folder) {
  // What Go downloads is read-only.
  await cp(source, folder, { recursive: true, filter: async (from) => !from.endsWith("_test.go") });
  await makeWritable(folder);
  for (const [file, changes] of Object.entries(edits)) {
    const name = path.join(folder, file);
    if (changes === undefined) await rm(name);
    else
      await writeFile(
        name,
        changes.reduce((text, change) => edited(file, text, change), await readFile(name, "utf8")),
      );
  }
}

async function makeWritable(folder) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(path.join(entry.parentPath ?? entry.path, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  await chmod(folder, 0o755);
}
