/**
 * The reasons why a change needs a look before it is applied, the worst first. Each text says which changes have it. The type of risks, the
 * words of `--fail-on` and the tables of the pages come from this list.
 */
export const riskCodes = {
  "sends-the-token-elsewhere":
    "the address of an organization changes: from the next `up` on, requests with its token go there",
  "deletes-data":
    "fewer days; a retention policy that is turned on or off; a new one or one that is sent again, because it may replace a longer one",
  "cuts-a-trunk": "outbound credentials are cleared",
  "rotates-a-secret": "a changed trigger, a due date, a rotation that may have been carried out, a new WebhookSecret",
  "forgets-a-secret":
    "a WebhookSecret that is removed, or recreated without a rotation: its state has the only stored copy",
  "narrows-access": "a source range without some of the current addresses; one that is sent again",
  "widens-access": "a source range with addresses beyond the current ones; one that is sent again",
  "weakens-a-guard":
    "a change is now allowed without approval; a date is later or removed; destroy will send a request with a risk; other values than the last known ones are adopted",
  "stops-managing": "a resource or a field that is no longer managed and stays as last set",
} as const;

/**
 * The codes at the ends of messages. Each text is for whoever writes a message, and says when its code is the right one. Users find the codes in
 * docs/reference/messages.md. Errors of the command line, such as an unknown option, have no code: nobody searches for them.
 */
export const codes = {
  // Values.
  missing: "a required property is not there, or nothing that a resource could send",
  "wrong-value": "a value is not of the kind that its property takes",
  "unknown-property": "there is no property of this name",

  // What a resource refuses.
  "retention-shortened": "fewer days delete data, and no allowShortening allows the step",
  "kind-changed": "a RetentionPolicy has another kind of data than before",
  "wrong-range": "a range is missing, lacks an address of mustInclude, or reaches one of mustExclude",
  "organization-changed": "a webhook belongs to another organization than the provider's",
  "declared-twice": "two resources are the same object",
  "loses-secret": "the program or an option of the engine would drop the only copy of a webhook's secret",
  "cannot-import": "the object cannot be imported",
  "state-incomplete": "the state does not say which object it is of",
  "entries-failed": "resources of an Organization failed",
  "other-module": "a Provider is of the other module than the resource that uses it",
  "not-planned": "the plan of the run does not have the request, so it was not sent",
  "plan-unreadable": "the plan of the run cannot be read, so nothing was sent",
  cancelled: "the update was cancelled, and nothing was sent",
  bug: "an error of pulumi-voiceplane: please report it",

  ...riskCodes,

  // What a resource warns of.
  uncertain: "it is unknown whether the last request was carried out",
  "object-left": "nothing was sent, and the object stays as it is",
  "still-declared": "a delete sent nothing, because the program still declares the object",
  "secret-unread": "no secret was found in the answer to a rotation",
  "time-set": "VOICEPLANE_NOW sets the present of this run",
  "option-ignored": "the resources do not get this option",

  // Requests. A message names the request.
  "rotation-unknown": "a rotation may have been carried out, and its new secret is lost",
  "request-unknown": "a request may have been carried out; sending it again does no harm",
  "no-answer": "the server gave no usable answer",
  "not-sent": "a request could not be sent",
  redirected: "the server redirects to another address",
  "token-refused": "the server does not accept the token",
  "token-rights": "the token may not send the request",
  "address-refused": "the organization's network policy does not admit this machine",
  "not-in-plan": "the organization's plan does not include the request",
  "no-such-object": "the server has no such object",
  "base-url-path": "the path of the base URL is wrong",
  "rate-limited": "too many requests",
  "request-refused": "the server refuses the request",

  // Organization files.
  "file-unreadable": "a file cannot be read, is not UTF-8, or is empty",
  "invalid-yaml": "a file is not one YAML document",
  "former-name": "formerly names no entry that this one can take over",

  // Settings.
  "base-url": "no address is set, or it cannot be used",
  token: "no token is set, or it cannot be sent in a header",
  "plain-secret": "the token or a webhook's secret is in plain text where the state would have it",
  "setting-value": "a setting or a variable has another kind of value",
  "provider-name":
    "a Provider has a name that is not lower-case letters, digits and hyphens, or that of the engine's own",
  "organization-missing": "the organization has no name",
  "state-unreadable": "the state or the configuration of a stack cannot be read",

  // What is installed.
  engine: "the Pulumi CLI is missing, or of an unsupported version",
  sdk: "@pulumi/pulumi is missing, or of an unsupported version",
  plugin: "the native plugin is not where the engine looks for it, or of another version",
  project: "there is no Pulumi.yaml, or it cannot be read",

  // Stacks and servers.
  "stack-unselected": "no stack is selected",
  "state-pending": "an object is uncertain, or an update has not ended",
  "not-asked": "nothing was sent to the server",
  "list-unreadable": "the server's list of webhooks cannot be read, or not as a whole",
  "webhook-unlisted": "the server's list does not have a webhook of the stack",
} as const;

export type Code = keyof typeof codes;
