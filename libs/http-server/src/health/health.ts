import type { IncomingMessage, ServerResponse } from 'node:http';
import { securityHeaders } from '@quire/errors';
import { memoizeFor, type Metrics } from '@quire/observability';

/** What a process depends on: a store, or another service. */
export interface Dependency {
  name: string;
  /** Whether the process can do nothing of its own work without it. Others are only reported. */
  isNeeded: boolean;
  /** Resolves when it responds. */
  check: () => Promise<void>;
}

export interface Readiness {
  /** `degraded`: a dependency that is not needed does not respond. */
  status: 'ready' | 'degraded' | 'not ready';
  dependencies: Record<string, 'ok' | 'failed'>;
}

const checkTimeoutMs = 2_500;
const defaultMaxAgeMs = 1_000;

/**
 * `/healthz`, `/readyz` and `/metrics` of a process (design 1). `/readyz` is 503 only where the process itself cannot
 * work: a balancer that takes away all processes because of a lost store would make an outage of it (decision 48).
 */
export class Health {
  private readonly dependencies: Dependency[] = [];
  private readonly check: () => Promise<Readiness['dependencies']>;
  private isStopping = false;

  /** @param options.maxAgeMs requests share the result of a check for so long */
  constructor(
    private readonly metrics: Metrics,
    { maxAgeMs = defaultMaxAgeMs }: { maxAgeMs?: number } = {},
  ) {
    this.check = memoizeFor(maxAgeMs, () => this.checkAll());
    metrics.gauges('quire_dependency_up', async () =>
      Object.entries(await this.check()).map(([name, result]) => [{ name }, result === 'ok' ? 1 : 0]),
    );
  }

  add(dependency: Dependency): void {
    this.dependencies.push(dependency);
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

  /** Checks every dependency, each within a time limit. */
  async readiness(): Promise<Readiness> {
    const dependencies = await this.check();
    const failed = this.dependencies.filter(({ name }) => dependencies[name] === 'failed');
    if (this.isStopping || failed.some(({ isNeeded }) => isNeeded))
      return { status: 'not ready', dependencies };
    return { status: failed.length > 0 ? 'degraded' : 'ready', dependencies };
  }

  private async checkAll(): Promise<Readiness['dependencies']> {
    const results = this.dependencies.map(
      async ({ name, check }) => [name, (await respondsInTime(check)) ? 'ok' : 'failed'] as const,
    );
    return Object.fromEntries(await Promise.all(results));
  }
}

async function respondsInTime(check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), checkTimeoutMs);
  });
  try {
    return await Promise.race([check().then(() => true), timeout]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
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
