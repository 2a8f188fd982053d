/** Names of resources for people. */
import { isInOrganization, organizationType, urnParts } from "../../values/engine.js";

/** Gives each resource its name, without the organization's if there is only one. @param urns of the resources and their parents */
export function namesOf(urns: readonly string[]): (urn: string) => string {
  const [organization, ...others] = new Set(urns.filter((urn) => urnParts(urn).type === organizationType));
  const prefix = organization === undefined || others.length > 0 ? undefined : `${urnParts(organization).name}-`;
  return (urn) => {
    const { name } = urnParts(urn);
    const isEntry = prefix !== undefined && isInOrganization(urn) && name.startsWith(prefix);
    return (isEntry ? name.slice(prefix.length) : name).slice(0, maxName);
  };
}

const maxName = 80;
