import type { IncomingMessage, ServerResponse } from 'node:http';
import { securityHeaders } from '@quire/errors';
import type { Metrics } from '@quire/observability';

/** One dependency of a process: `check` resolves when it responds. */
export interface Dependency {
  name: string;
  check: () => Promise<void>;
}

const checkTimeoutMs = 2_500;

/** `/healthz`, `/readyz` and `/metrics` of a process (design 1). */
export class Health {
  private readonly dependencies: Dependency[] = [];
  private isStopping = false;

  constructor(private readonly metrics: Metrics) {}

  add(dependency: Dependency): void {
    this.dependencies.push(dependency);
  }

  /** Makes the process not ready, so that load balancers stop sending requests. */
  beginStop(): void {
    this.isStopping = true;
  }

  /** Responds to a health path. @returns false for any other path */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    switch (request.url) {
      case '/healthz':
        sendJson(response, 200, { status: 'alive' });
        return true;
      case '/readyz':
        void this.readiness().then(({ isReady, dependencies }) =>
          sendJson(response, isReady ? 200 : 503, {
            status: isReady ? 'ready' : 'not ready',
            dependencies,
          }),
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

  /** Checks every dependency, each within a time limit. */
  async readiness(): Promise<{ isReady: boolean; dependencies: Record<string, 'ok' | 'failed'> }> {
    const results = await Promise.all(
      this.dependencies.map(
        async ({ name, check }) => [name, (await respondsInTime(check)) ? 'ok' : 'failed'] as const,
      ),
    );
    const isReady = !this.isStopping && results.every(([, result]) => result === 'ok');
    return { isReady, dependencies: Object.fromEntries(results) };
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
