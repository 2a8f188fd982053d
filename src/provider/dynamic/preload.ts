/**
 * What `apply` has each Node process of its runs load first. Pulumi's process for dynamic providers loads this package only at its first
 * call: one whose engine was killed before that would stay for ever.
 */
if (/[\\/]cmd[\\/]dynamic-provider([\\/]index(\.js)?)?$/.test(process.argv[1] ?? "")) void import("../engine-watch.js");
