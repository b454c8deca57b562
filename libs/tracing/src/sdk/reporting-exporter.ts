import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingOptions } from './tracing-options.js';

/** `ExportResultCode.SUCCESS`, which is in a package of its own. */
const success = 0;

/** An exporter that logs when exports begin to fail, and when they succeed again. */
export function reportingExporter(exporter: SpanExporter, logger: TracingOptions['logger']): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== success;
        if (hasFailed && !isFailing)
          logger.warn({ failure: result.error?.message }, 'traces are not exported: their spans are dropped');
        if (!hasFailed && isFailing) logger.info({}, 'traces are exported again');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
