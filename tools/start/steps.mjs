const titles = {
  install: "install the dependencies",
  build: "build",
  engine: "get a Pulumi engine",
  controlPlane: "start the embedded control plane",
  apply: "preview the organization, and apply it",
};

/** Prints the number and title of the step that begins. */
export function step(log, name) {
  const names = Object.keys(titles);
  log.line(`\n[${names.indexOf(name) + 1}/${names.length}] ${titles[name]}`);
}
