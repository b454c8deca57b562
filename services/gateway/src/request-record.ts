import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestIdentity, type Principal } from '@quire/context';
import type { Logger, Metrics } from '@quire/observability';
import type { Tenant } from '@quire/tenancy';
import { newTrace, startSpan, traceHeader, traceIdOf, type InboundTraces, type Span } from '@quire/tracing';

/** What the gateway learns of a request until its end: for the log line, the measurement and the span. */
export interface RequestRecord {
  readonly requestId: string;
  readonly startedAt: number;
  /** Trace context of the request in the gateway. */
  readonly trace: string;
  readonly span: Span | undefined;
  service?: string;
  /** The site of the host, also of a request that is refused before its caller is known. */
  tenant?: Tenant;
  principal?: Principal;
}

/** Begins the record of a request. It has a trace also while no spans are exported: logs name it. */
export function beginRecord({ method = '', headers }: IncomingMessage, traces: InboundTraces): RequestRecord {
  const { parent, link } = traces.accept(headers[traceHeader]);
  const span = startSpan(method, { kind: 'server', parent, ...(link && { links: [link] }) });
  return {
    requestId: randomUUID(),
    startedAt: performance.now(),
    trace: span?.trace ?? parent ?? newTrace(),
    span,
  };
}

/** Writes one log line and one measurement, and ends the span. */
export function endRecord(
  { requestId, startedAt, trace, span, service = 'gateway', tenant, principal }: RequestRecord,
  request: IncomingMessage,
  response: ServerResponse,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): void {
  const seconds = (performance.now() - startedAt) / 1000;
  const method = request.method ?? '';
  const status = response.writableFinished ? response.statusCode : 499;
  const operation = getRequestIdentity(request)?.operation;
  metrics.recordRequest({ service, operation, tenant: tenant?.id, method, status, seconds });
  const fields = {
    requestId,
    traceId: traceIdOf(trace),
    tenant: tenant?.id,
    userId: principal?.userId,
    method,
    path: request.url?.split('?', 1)[0],
    status,
    ms: Math.round(seconds * 100_000) / 100,
  };
  logger.info(fields, 'request');
  if (!span) return;
  span.setName(`${method} ${service}`);
  span.setAttributes({
    'http.request.method': method,
    'http.response.status_code': status,
    'quire.service': service,
    'quire.operation': operation,
    'quire.tenant': tenant?.id,
    'quire.request_id': requestId,
  });
  span.end(status >= 500 ? { code: String(status) } : undefined);
}
