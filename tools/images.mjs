/**
 * The container images that the examples and the pipelines name, by digest: a tag can be given another image, a digest cannot.
 * Before a release:
 *
 *     node tools/images.mjs                           asks the images' registries, and writes the digests of the tags into the files
 *     node tools/images.mjs --mirror 127.0.0.1:5000   asks a mirror of Docker Hub
 *
 * Go builds the client of registries.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { root } from "./bootstrap.mjs";
import { isMain, run } from "./run.mjs";

const files = [
  "examples/pipelines/gitlab/.gitlab/voiceplane.yml",
  "examples/kubernetes/Dockerfile",
  "examples/kubernetes/cronjobs.yaml",
  "examples/kubernetes/stacks.yaml",
];

const crane = "github.com/google/go-containerregistry/cmd/crane@v0.22.1";

/** An image with its tag, and its digest if it has one. */
const named = /(?<=(?:FROM|image:|default:|# for YAML:) )([\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?$/gm;

/** The image that users build, which has no registry yet. */
const isOwn = (image) => image.startsWith("registry.example.com/");

/** @returns {{ file: string, image: string, digest: string | undefined }[]} those of all files */
export function images() {
  return files.flatMap((file) =>
    [...read(file).matchAll(named)]
      .map(([, image, digest]) => ({ file, image, digest }))
      .filter(({ image }) => !isOwn(image)),
  );
}

const read = (file) => readFileSync(path.join(root, file), "utf8");

/** @throws {Error} if a registry does not answer, or does not have the image */
async function digestOf(image, mirror) {
  const official = image.includes("/") ? image : `library/${image}`;
  const asked = mirror === undefined ? image : `${mirror}/${official}`;
  const { code, stdout, tail } = await run("go", ["run", crane, "digest", asked], { cwd: root });
  if (code !== 0 || !/^sha256:[0-9a-f]{64}$/.test(stdout)) throw new Error(`no digest of ${asked}: ${tail}`);
  return stdout;
}

/** @throws {Error} if there is no digest, and then no file is changed */
async function pin(mirror) {
  const digests = new Map();
  for (const { image } of images()) digests.set(image, digests.get(image) ?? (await digestOf(image, mirror)));
  for (const file of files) {
    const pinned = read(file).replaceAll(named, (all, image) =>
      isOwn(image) ? all : `${image}@${digests.get(image)}`,
    );
    writeFileSync(path.join(root, file), pinned);
  }
  for (const [image, digest] of digests) console.log(`${image}@${digest}`);
}

if (isMain(import.meta.url)) {
  const { mirror } = parseArgs({ options: { mirror: { type: "string" } } }).values;
  await pin(mirror).catch(({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
}
