import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as traceApi,
  type Attributes,
  type Span as ApiSpan,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Span, SpanAttributes, Tracer } from '../spans/spans.js';
import { isSampled, traceIdOf } from '../trace-context/traceparent.js';
import { reportingExporter } from './reporting-exporter.js';
import type { SamplerName, TracingOptions } from './tracing-options.js';

/** Spans that wait for their export; further ones are dropped. */
const maxQueueSize = 4_096;
const exportEveryMs = 2_000;
const exportTimeoutMs = 5_000;
/** A receiver that does not respond must not delay the end of the process. */
const closeWithinMs = 3_000;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** Opens a tracer of the OpenTelemetry SDK. Spans are exported in the background, and dropped if that fails. */
export function openTracer({ endpoint, headers, sampler, samplerRatio, resource, logger }: TracingOptions): {
  tracer: Tracer;
  close: () => Promise<void>;
} {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: exportTimeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...resource }),
    sampler: samplerOf(sampler, samplerRatio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingExporter(exporter, logger),
        maxQueueSize,
        scheduledDelayMillis: exportEveryMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('quire');
  return {
    tracer: {
      startSpan(name, { kind, parent, links = [], attributes = {} }) {
        const context =
          parent === undefined ? ROOT_CONTEXT : traceApi.setSpanContext(ROOT_CONTEXT, contextOf(parent));
        const options = {
          kind: kinds[kind],
          attributes: attributes as Attributes,
          links: links.map((link) => ({ context: contextOf(link) })),
        };
        return spanOf(tracer.startSpan(name, options, context));
      },
    },
    close: () => settledWithin(provider.shutdown(), closeWithinMs),
  };
}

function spanOf(span: ApiSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    trace: `00-${traceId}-${spanId}-${(traceFlags & 1) === 1 ? '01' : '00'}`,
    setName: (name) => void span.updateName(name),
    setAttributes: (attributes: SpanAttributes) => void span.setAttributes(attributes as Attributes),
    end(error) {
      if (error !== undefined) {
        // Messages of errors may quote values.
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', errorTypeOf(error));
      }
      span.end();
    },
  };
}

function errorTypeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : '_OTHER';
}

/** Every parent counts as remote: the decision of its process is the same in this one. */
function contextOf(trace: string): SpanContext {
  return {
    traceId: traceIdOf(trace),
    spanId: trace.slice(36, 52),
    traceFlags: isSampled(trace) ? 1 : 0,
    isRemote: true,
  };
}

function samplerOf(name: SamplerName, ratio: number): Sampler {
  if (name.startsWith('parentbased_'))
    return new ParentBasedSampler({ root: rootSamplerOf(name.slice('parentbased_'.length), ratio) });
  return rootSamplerOf(name, ratio);
}

function rootSamplerOf(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

async function settledWithin(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), timeout]);
  clearTimeout(timer);
}
