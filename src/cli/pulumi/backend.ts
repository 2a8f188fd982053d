/** Where the stack's state is. */
import { join } from "node:path";
import { homeOf } from "../../machine.js";
import { isObject } from "../../values/any.js";
import { given, type Environment } from "../../values/environment.js";
import { documentIn } from "./files.js";

/** The CLI's folder for its login and its plugins. */
export const pulumiHome = (env: Environment): string => given(env.PULUMI_HOME) ?? join(homeOf(env), ".pulumi");

/** The backend's URLs, all that are named. */
export function backendUrls(project: unknown, env: Environment): string[] {
  // What `pulumi login` has stored, if it is not encrypted.
  const stored = documentIn(join(given(env.PULUMI_CREDENTIALS_PATH) ?? pulumiHome(env), "credentials.json"));
  const named = [
    env.PULUMI_BACKEND_URL,
    isObject(project) && isObject(project.backend) ? project.backend.url : undefined,
    isObject(stored) ? stored.current : undefined,
    // Without a login, the CLI takes its default for this token.
    given(env.PULUMI_ACCESS_TOKEN) && (given(env.PULUMI_API) ?? "https://api.pulumi.com"),
  ];
  return named.filter((url): url is string => typeof url === "string" && url !== "");
}
