/** The events of a preview that shortens the retention of recordings from 90 to 30 days. */
export function shorteningPreview(): object[] {
  const urn = "urn:pulumi:acme::fleet::voiceplane:index:RetentionPolicy::recordings";
  const retention = (retentionDays: number) => {
    const values = { organization: "acme", resource: "recordings", retentionDays, enabled: true };
    return { urn, custom: true, type: "voiceplane:index:RetentionPolicy", inputs: values, outputs: values };
  };
  return [
    { sequence: 0, preludeEvent: { config: {} } },
    { sequence: 1, resourcePreEvent: { metadata: { op: "update", urn, old: retention(90), new: retention(30) } } },
    { sequence: 2, summaryEvent: { isPreview: true, result: "succeeded", resourceChanges: { update: 1 } } },
  ];
}
