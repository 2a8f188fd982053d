/**
 * Buttons say by their attributes what they do:
 *
 * - data-copy: this text goes to the clipboard
 * - data-opens: the dialog of this name opens; data-closes: the own one closes
 * - data-send: this method and route of the admin, with data-body, or with the fault of the form that the button is in
 *
 * Then data-done is told, and data-then is the button that has the focus, where the own one may go.
 */
export const actions = /* javascript */ `
const trouble = byId("trouble");

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    trouble.textContent = "The browser does not let this page copy.";
    return;
  }
  button.classList.add("copied");
  announce("Copied.");
  setTimeout(() => button.classList.remove("copied"), 2000);
}

function faultOf(form) {
  const { operation, effect, count } = form.elements;
  const limit = count.value === "" ? {} : { count: Number(count.value) };
  return JSON.stringify([{ operation: operation.value, ...JSON.parse(effect.value), ...limit }]);
}

async function refusalOf(response) {
  return response.ok ? "" : (await response.json()).error;
}

async function send(button) {
  const { send, body, done, then } = button.dataset;
  const [method, route] = send.split(" ");
  trouble.textContent = "";
  try {
    const response = await fetch("/_control/" + route, {
      method,
      headers: { "Content-Type": "application/json" },
      body: method === "POST" ? undefined : (body ?? faultOf(button.form)),
    });
    trouble.textContent = await refusalOf(response);
  } catch {
    trouble.textContent = "The control plane does not answer.";
  }
  if (trouble.textContent === "") announce(done ?? "Done.");
  byId(then)?.focus();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button === null) return;
  if (button.dataset.copy) void copy(button);
  if (button.dataset.opens) byId(button.dataset.opens + "-dialog").showModal();
  if (button.dataset.closes !== undefined) button.closest("dialog").close();
  // A form's button sends once the browser has found nothing wrong in the form.
  if (button.dataset.send && button.form === null) void send(button);
});

document.addEventListener("submit", ({ submitter }) => {
  if (submitter.dataset.send) void send(submitter);
});
`;
