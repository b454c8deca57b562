import { hostname } from 'node:os';
import { startTracing } from '@quire/tracing';
import type { AppContainer } from './app-container.js';
import { version } from './version.js';

/** Exports the traces of this process, if the operator has named a receiver. */
export async function startTraces({ environment, targets, logger, lifecycle }: AppContainer): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = environment;
  if (endpoint === undefined) return;
  const stop = await startTracing({
    endpoint,
    headers,
    sampler: environment.OTEL_TRACES_SAMPLER,
    samplerRatio: environment.OTEL_TRACES_SAMPLER_ARG,
    resource: {
      'service.name': environment.OTEL_SERVICE_NAME,
      'service.version': version,
      'service.instance.id': `${hostname()}:${process.pid}`,
      'quire.targets': targets.join(),
    },
    logger,
  });
  lifecycle.onShutdown('traces', stop);
}
