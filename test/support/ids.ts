/** The objects of the control plane's default seed, as literals. */
export const seeded = {
  office: "a0000000-0000-4000-8000-000000000001",
  runners: "a0000000-0000-4000-8000-000000000002",
  carrierA: "b0000000-0000-4000-8000-000000000001",
  carrierB: "b0000000-0000-4000-8000-000000000002",
  crm: "c0000000-0000-4000-8000-000000000001",
  billing: "c0000000-0000-4000-8000-000000000002",
} as const;

/** A requestId, which identifies the state of a resource. */
export const anyRequestId = expect.stringMatching(/^[\da-f]{16}$/) as string;
