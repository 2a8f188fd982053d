import { Config } from "@pulumi/pulumi";
import { Organization, Provider, RetentionPolicy } from "pulumi-voiceplane";

const config = new Config();

// The stack's own organization, the one of voiceplane:baseUrl.
new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 });

// A second one. Its token comes from VOICEPLANE_TOKEN_EU or from the configuration, never from VOICEPLANE_TOKEN.
const eu = new Provider("eu", { baseUrl: config.require("euBaseUrl"), token: config.getSecret("euToken") });

new RetentionPolicy("eu-recordings", { resource: "recordings", retentionDays: 30 }, { provider: eu });

// Components pass the provider on to their resources.
new Organization(
  "eu",
  { trunks: { "carrier-b": { id: "b0000000-0000-4000-8000-000000000002", outboundAuth: "cleared" } } },
  { providers: [eu] },
);
