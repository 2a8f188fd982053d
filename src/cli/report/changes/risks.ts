/** The order of risks: the worst first. */
import { risks, type Risk } from "../../../lifecycle/effects/effect.js";

export function risksOf(items: readonly { readonly risks: readonly Risk[] }[]): Risk[] {
  return risks.filter((risk) => items.some((item) => item.risks.includes(risk)));
}

/** Sorts by the worst risk, then by the next: the worst first. A list that ends before the other one is less bad. */
export function compareRisks(a: readonly Risk[], b: readonly Risk[]): number {
  const ranks = risks.map((_risk, index) => rankOf(a[index]) - rankOf(b[index]));
  return ranks.find((difference) => difference !== 0) ?? 0;
}

const rankOf = (risk: Risk | undefined): number => (risk === undefined ? risks.length : risks.indexOf(risk));
