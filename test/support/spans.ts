interface Span {
  readonly parentSpanContext?: { readonly spanId: string } | undefined;
  readonly parentSpanId?: string | undefined;
}

/** The id of a span's parent. The first major version of OpenTelemetry's SDK, which Pulumi's SDK 3.250 has, says parentSpanId. */
export const parentOf = (span: object | undefined): string | undefined => {
  const { parentSpanContext, parentSpanId } = (span ?? {}) as Span;
  return parentSpanContext?.spanId ?? parentSpanId;
};
