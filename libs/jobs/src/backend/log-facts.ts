import { parseTraceparent, traceIdOf } from '@quire/tracing';

/** The site and the trace of a job, for log lines, which quote nothing else of its message. */
export function logFactsOf(data: unknown, trace: string | undefined): { tenant?: string; traceId?: string } {
  const { tenantId } = (data ?? {}) as { tenantId?: unknown };
  const context = parseTraceparent(trace);
  return {
    ...(typeof tenantId === 'string' && { tenant: tenantId }),
    ...(context !== undefined && { traceId: traceIdOf(context) }),
  };
}
