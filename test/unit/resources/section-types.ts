/** What the compiler refuses of a section. Nothing runs this file: `npm run typecheck` reads it, and fails if a line below `@ts-expect-error` has no error. */
import { define, settingSection } from "../../../src/resources/definition.js";
import { networkPolicy } from "../../../src/resources/network-policy/index.js";
import { retentionPolicy } from "../../../src/resources/retention-policy/index.js";

const texts = { ...settingSection, name: "entries", doc: "", content: "", entryType: "", entryDoc: "" } as const;

// @ts-expect-error the argument is called networkPolicyId
define({ ...networkPolicy, section: { ...texts, names: { id: "networkPolicyIdentifier" } } });
// @ts-expect-error the key is no argument with a fixed set of values
define({ ...networkPolicy, section: { ...texts, names: {}, key: "networkPolicyId" } });
// @ts-expect-error the days are no set of values, and the kind is one
define({ ...retentionPolicy, section: { ...texts, names: {}, key: "retentionDays" } });
define({ ...retentionPolicy, section: { ...texts, names: { days: "retentionDays" }, key: "resource" } });
