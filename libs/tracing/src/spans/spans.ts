/** As OpenTelemetry distinguishes them. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Facts of a span by their name in the semantic conventions: never secrets, and no values of statements. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  kind: SpanKind;
  /** Context of the parent; without one the span begins a trace. */
  parent?: string | undefined;
  /** Contexts of other traces that caused this span. */
  links?: readonly string[];
  attributes?: SpanAttributes;
}

/** One piece of work in a trace. */
export interface Span {
  /** Its context, for its children. */
  readonly trace: string;
  setName(name: string): void;
  setAttributes(attributes: SpanAttributes): void;
  /** Ends the span. An error marks it as failed, with the code or the class of the error. */
  end(error?: unknown): void;
}

/** Creates spans. */
export interface Tracer {
  startSpan(name: string, options: SpanOptions): Span;
}

let installed: Tracer | undefined;

/** Makes this process create spans with a tracer; undefined ends it. */
export function useTracer(tracer: Tracer | undefined): void {
  installed = tracer;
}

/** Whether this process creates spans. */
export function isTracing(): boolean {
  return installed !== undefined;
}

/** Starts a span that the caller ends; undefined while the process creates no spans. */
export function startSpan(name: string, options: SpanOptions): Span | undefined {
  return installed?.startSpan(name, options);
}

/**
 * Does work in a span.
 * @param work gets the context for its children: the parent's while the process creates no spans
 */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (trace: string | undefined) => Promise<Result>,
): Promise<Result> {
  const span = installed?.startSpan(name, options);
  if (!span) return work(options.parent);
  try {
    const result = await work(span.trace);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
