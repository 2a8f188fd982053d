import { redact } from "../../../src/values/text";
import { secretsOf } from "../../../src/values/environment";

const shown = (text: string, env: Record<string, string>): string => redact(text, secretsOf(env));

test.each([
  "VOICEPLANE_TOKEN",
  "VOICEPLANE_TOKEN_EU",
  "VOICEPLANE_TOKEN_BASE_URL",
  "PULUMI_ACCESS_TOKEN",
  "PULUMI_CONFIG_PASSPHRASE",
  "PGPASSWORD",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AZURE_STORAGE_KEY",
  "GOOGLE_CREDENTIALS",
  "npm_config_auth_token",
])("%s is a secret", (name) => {
  expect(shown("of canary-1234 it", { [name]: "canary-1234" })).toBe("of [redacted] it");
});

test.each(["VOICEPLANE_BASE_URL", "VOICEPLANE_BASE_URL_TOKEN", "PULUMI_HOME", "PATH"])("%s is none", (name) => {
  expect(secretsOf({ [name]: "canary-1234" })).toEqual([]);
});

test("a placeholder in place of a secret is none, because it occurs in any text", () => {
  expect(secretsOf({ VOICEPLANE_TOKEN: "none", VOICEPLANE_TOKEN_EU: "" })).toEqual([]);
});

test.each([
  ["PULUMI_BACKEND_URL", "postgres://fleet:canary-1234@db/fleet"],
  ["HTTPS_PROXY", "http://robot:canary-1234@proxy.example.com:8080"],
  ["https_proxy", "http://robot:canary-1234@proxy.example.com:8080"],
  ["HTTP_PROXY", "robot:canary-1234@proxy.example.com:8080"],
  ["ALL_PROXY", "socks5h://robot:canary-1234@proxy.example.com"],
  ["DATABASE_URL", "postgresql+ssl://fleet:canary-1234@db/fleet"],
  ["STATE", "s3://state?region=eu&secret_key=canary-1234"],
  ["VOICEPLANE_BASE_URL", "https://robot:canary-1234@voice.example.com"],
])("the password in the URL of %s is a secret", (name, url) => {
  expect(shown("of canary-1234 it", { [name]: url })).toBe("of [redacted] it");
});

test.each([
  ["as it is written", "p%40ss-word", "p%40ss-word"],
  ["as it is meant", "p%40ss-word", "p@ss-word"],
  ["with a slash", "sla/sh-word", "sla/sh-word"],
  ["with an at sign", "wh@at-word", "wh@at-word"],
])("a password in a URL is a secret %s", (_how, written, repeated) => {
  const env = { PULUMI_BACKEND_URL: `postgres://fleet:${written}@db/fleet?sslmode=require` };
  expect(shown(`of ${repeated} it`, env)).toBe("of [redacted] it");
});

test("of two secrets, one within the other, nothing is left", () => {
  const env = { A_TOKEN: "canary-12", B_TOKEN: "canary-1234" };
  expect(shown("canary-1234 and canary-12", env)).toBe("[redacted] and [redacted]");
});

test("an address without a password is no secret", () => {
  const env = {
    VOICEPLANE_BASE_URL: "https://voice.example.com:8443/v1",
    HTTPS_PROXY: "http://egress.example.com:8080",
  };
  expect(secretsOf(env)).toEqual([]);
});
