module.exports = require("pulumi-voiceplane/stack");
