const titles = {
  install: "install the dependencies",
  build: "build",
  engine: "get a Pulumi engine",
  controlPlane: "start the embedded control plane",
  preview: "preview the organization",
  up: "apply it",
};

/** Prints the number and title of the step that begins. */
export function step(log, name) {
  const names = Object.keys(titles);
  log.line(`\n[${names.indexOf(name) + 1}/${names.length}] ${titles[name]}`);
}
