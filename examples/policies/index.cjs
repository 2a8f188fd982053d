const { PolicyPack } = require("@pulumi/policy");
const { rules } = require("./rules.cjs");

new PolicyPack("voiceplane", { enforcementLevel: "mandatory", policies: rules });
