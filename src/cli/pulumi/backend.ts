/** Where the stack's state is. */
import { join } from "node:path";
import { homeOf } from "../../machine.js";
import { isObject } from "../../values/any.js";
import { given, type Environment } from "../../values/environment.js";
import { documentIn } from "./files.js";

/** The CLI's folder for its login and its plugins. */
export const pulumiHome = (env: Environment): string => given(env.PULUMI_HOME) ?? join(homeOf(env), ".pulumi");

/** The backend's URL; undefined if the user has not logged in. */
export const backendUrl = (project: unknown, env: Environment): string | undefined => backendUrls(project, env)[0];

/** All that are named, in the CLI's order of precedence. */
export function backendUrls(project: unknown, env: Environment): string[] {
  const stored = credentialsOf(env);
  const named = [
    env.PULUMI_BACKEND_URL,
    isObject(project) && isObject(project.backend) ? project.backend.url : undefined,
    isObject(stored) ? stored.current : undefined,
    // Without a login, the CLI takes its default for this token.
    given(env.PULUMI_ACCESS_TOKEN) && (given(env.PULUMI_API) ?? "https://api.pulumi.com"),
  ];
  return named.filter((url): url is string => typeof url === "string" && url !== "");
}

/** What `pulumi login` has stored, if it is not encrypted. */
export const credentialsOf = (env: Environment): unknown =>
  documentIn(join(given(env.PULUMI_CREDENTIALS_PATH) ?? pulumiHome(env), "credentials.json"));
