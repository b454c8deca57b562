export { startTracing } from './sdk/start-tracing.js';
export type { TracingOptions } from './sdk/tracing-options.js';
export {
  inSpan,
  isTracing,
  startSpan,
  useTracer,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type SpanOptions,
  type Tracer,
} from './spans/spans.js';
export { InboundTraces, type InboundTrace } from './trace-context/inbound-traces.js';
export {
  isSampled,
  newTrace,
  parseTraceparent,
  traceHeader,
  traceIdOf,
} from './trace-context/traceparent.js';
