/** What is wrong with the token by its text: what was pasted along with it and does not belong to it. */
import { failure, type Finding } from "./finding.js";

/** Never shows the token. */
export function checkPastedToken(token: string): Finding[] {
  const text = token.trim();
  const quoted = /^(["'`])(.*)\1$/s.exec(text)?.[2];
  const found: Finding[] = [];
  if (/^(authorization:\s*)?bearer(\s|$)/i.test(quoted ?? text)) {
    const advice = "Remove that word and the space behind it: it is added to every request.";
    found.push(failure("settings", 'the token begins with "Bearer"', advice));
  }
  if (quoted !== undefined) {
    const advice =
      "Remove them: a shell takes them off, while files of variables and the settings of pipelines keep them.";
    found.push(failure("settings", "the token is in quotes", advice));
  }
  if (/[\r\n]\s*$/.test(token)) {
    const advice = 'Remove it: "$(cat FILE)" drops it, and `printf %s` writes none.';
    found.push(failure("settings", "the token ends with a line end", advice));
  }
  return found;
}
