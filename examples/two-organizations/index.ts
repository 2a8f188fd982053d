import { Config } from "@pulumi/pulumi";
import { Organization, Provider, RetentionPolicy } from "pulumi-voiceplane";

const config = new Config();

// The stack's own organization, the one of voiceplane:baseUrl.
new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });

// A second organization. Its token is VOICEPLANE_TOKEN_EU or in the configuration, never VOICEPLANE_TOKEN.
const eu = new Provider("eu", { baseUrl: config.require("euBaseUrl"), token: config.getSecret("euToken") });

new RetentionPolicy(
  "eu-recordings",
  { resource: "recordings", onCreate: "overwrite", retentionDays: 30 },
  { provider: eu },
);

// Components pass the provider on to their resources. `up` clears the trunk's outbound credentials, and nothing can
// restore them.
new Organization(
  "eu",
  { trunks: { "carrier-b": { id: "b0000000-0000-4000-8000-000000000002", outboundAuth: "cleared" } } },
  { providers: [eu] },
);
