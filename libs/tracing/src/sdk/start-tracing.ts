import { useTracer } from '../spans/spans.js';
import type { TracingOptions } from './tracing-options.js';

/**
 * Loads the OpenTelemetry SDK and exports spans from now on. The SDK is imported here and nowhere else: a process
 * without an endpoint never loads it.
 * @returns the function that exports the last spans and ends tracing, within a few seconds
 */
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  const { openTracer } = await import('./open-tracer.js');
  const { tracer, close } = openTracer(options);
  useTracer(tracer);
  return async () => {
    useTracer(undefined);
    await close();
  };
}
