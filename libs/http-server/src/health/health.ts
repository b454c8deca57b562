import type { IncomingMessage, ServerResponse } from 'node:http';
import { securityHeaders } from '@quire/errors';
import type { Metrics } from '@quire/observability';
import { DependencyCheck, withinTime, type Dependency } from './dependency-check.js';

export interface Readiness {
  /** `degraded`: a dependency that is not needed does not respond. */
  status: 'ready' | 'degraded' | 'not ready';
  dependencies: Record<string, 'ok' | 'failed'>;
}

const defaultMaxAgeMs = 1_000;
/** Probes of orchestrators wait a second for an answer. */
const maxOptionalWaitMs = 200;

/**
 * `/healthz`, `/readyz` and `/metrics` of a process (design 1). `/readyz` is 503 only where the process itself cannot
 * work: a balancer that takes away all processes because of a lost store would make an outage of it (decision 48).
 */
export class Health {
  private readonly checks: DependencyCheck[] = [];
  private readonly maxAgeMs: number;
  private isStopping = false;

  /** @param options.maxAgeMs requests share the result of a check for so long */
  constructor(
    private readonly metrics: Metrics,
    { maxAgeMs = defaultMaxAgeMs }: { maxAgeMs?: number } = {},
  ) {
    this.maxAgeMs = maxAgeMs;
    metrics.gauges('quire_dependency_up', async () => {
      await this.checkAll();
      return this.checks.map(({ name, isUp }) => [{ name }, Number(isUp)]);
    });
  }

  add(dependency: Dependency): void {
    this.checks.push(new DependencyCheck(dependency, this.maxAgeMs));
  }

  /** Makes the process not ready, so that load balancers stop sending requests. */
  beginStop(): void {
    this.isStopping = true;
  }

  /** Responds to a health path. @returns false for any other path */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.handleAlive(request, response)) return true;
    switch (request.url) {
      case '/readyz':
        void this.readiness().then((readiness) =>
          sendJson(response, readiness.status === 'not ready' ? 503 : 200, readiness),
        );
        return true;
      case '/metrics':
        void this.metrics.registry
          .metrics()
          .then((text) => send(response, 200, { type: this.metrics.registry.contentType, text }));
        return true;
      default:
        return false;
    }
  }

  /** Responds to `/healthz`, which tells no more than that the process runs. @returns false for any other path */
  handleAlive(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url !== '/healthz') return false;
    sendJson(response, 200, { status: 'alive' });
    return true;
  }

  /** The state of the process. A dependency that is not needed and hangs has its last known state. */
  async readiness(): Promise<Readiness> {
    if (!this.isStopping) await this.checkAll();
    const dependencies = Object.fromEntries(
      this.checks.map(({ name, isUp }) => [name, isUp ? 'ok' : 'failed'] as const),
    );
    const failed = this.checks.filter(({ isUp }) => !isUp);
    if (this.isStopping || failed.some(({ isNeeded }) => isNeeded))
      return { status: 'not ready', dependencies };
    return { status: failed.length > 0 ? 'degraded' : 'ready', dependencies };
  }

  /** Checks every dependency, and waits only for those that decide. */
  private async checkAll(): Promise<void> {
    const check = (isNeeded: boolean) =>
      Promise.all(this.checks.filter((each) => each.isNeeded === isNeeded).map((each) => each.check()));
    await Promise.all([check(true), withinTime(check(false), maxOptionalWaitMs)]);
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, { type: 'application/json', text: JSON.stringify(body) });
}

function send(
  response: ServerResponse,
  status: number,
  { type, text }: { type: string; text: string },
): void {
  response.writeHead(status, { ...securityHeaders, 'content-type': type }).end(text);
}
