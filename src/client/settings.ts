/** Where the control plane is and who asks: what a {@link Client} needs to know, and what can be wrong with it. */

export interface ClientSettings {
  /** Absolute http(s) address that the paths are appended to; a path prefix is kept, a trailing slash is the same as none. */
  readonly baseUrl: string;
  /**
   * The organization's token, or a function that gets it: called when the first request is sent, and once more for a
   * request that is answered 401.
   */
  readonly token: string | (() => Promise<string>);
  /** Allows `http:` to another machine, where everybody on the way can read the token. Default: false. */
  readonly allowInsecureHttp?: boolean;
}

/** All that is wrong with the settings, one sentence each; no value is repeated, since a misplaced one may be the token. */
export function settingsProblems(settings: ClientSettings): string[] {
  const problem = typeof settings.token === "string" ? tokenProblem(settings.token) : undefined;
  return [
    ...baseUrlProblems(settings.baseUrl, settings.allowInsecureHttp ?? false),
    ...(problem === undefined ? [] : [problem]),
  ];
}

/** What keeps a token out of an Authorization header, without the token. */
export function tokenProblem(token: string): string | undefined {
  if (token === "") return "The token is empty; it should be the organization's API token.";
  if (/\s/.test(token)) return "The token contains white space, perhaps a line end copied with it; remove it.";
  return /^[\x21-\x7e]+$/.test(token)
    ? undefined
    : "The token contains characters that cannot stand in an HTTP header; copy it again, letters and signs of ASCII only.";
}

function baseUrlProblems(baseUrl: string, allowInsecureHttp: boolean): string[] {
  if (baseUrl === "") return ["The base URL is missing; it should look like https://api.example.com."];
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined) return ["The base URL is not an absolute URL; it should look like https://api.example.com."];
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return ["The base URL has a scheme that is not HTTP; it should begin with https://."];
  }
  const problems: string[] = [];
  if (url.username !== "" || url.password !== "") {
    problems.push("The base URL contains a user name or password; remove it, the token is a setting of its own.");
  }
  // `search` and `hash` are empty for a lone "?" or "#" as well, which is as wrong.
  if (/[?#]/.test(baseUrl)) problems.push("The base URL has a query or fragment; it should end with its path.");
  if (url.protocol === "http:" && !isLoopback(url) && !allowInsecureHttp) {
    problems.push(
      "The base URL is plain http to another machine, which would show the token on the way; it should begin with https:// (or allow it with allowInsecureHttp).",
    );
  }
  return problems;
}

/** Whether an address stays on this machine. The URL parser has already brought every spelling of 127.0.0.1 into one form. */
export function isLoopback(url: URL): boolean {
  return url.hostname === "localhost" || url.hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
}

/** Origin and path prefix of a valid base URL, without a trailing slash: the same for every spelling of one address. */
export function addressOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.origin + prefixOf(url);
}

/** Path that all request paths are appended to; empty for none. */
export function prefixOf(url: URL): string {
  return url.pathname.replace(/\/+$/, "");
}
