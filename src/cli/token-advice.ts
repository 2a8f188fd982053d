/** What was pasted along with a token. */

/** Each thing that does not belong to the token, and what to do about it; none where nothing is seen. Never the token. */
export function pastedAlong(token: string): { message: string; advice: string }[] {
  const text = token.trim();
  const quoted = /^(["'`])(.*)\1$/s.exec(text)?.[2];
  const found = [];
  if (/^(authorization:\s*)?bearer(\s|$)/i.test(quoted ?? text)) {
    found.push({
      message: 'the token begins with "Bearer"',
      advice: "Remove that word and the space behind it: it is added to every request.",
    });
  }
  if (quoted !== undefined) {
    found.push({
      message: "the token is in quotes",
      advice: "Remove them: a shell takes them off, while files of variables and the settings of pipelines keep them.",
    });
  }
  if (/[\r\n]\s*$/.test(token)) {
    found.push({
      message: "the token ends with a line end",
      advice: 'Remove it: "$(cat FILE)" drops it, and `printf %s` writes none.',
    });
  }
  return found;
}
