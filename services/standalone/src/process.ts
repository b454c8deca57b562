import type { IncomingMessage } from 'node:http';
import type { Environment, SiteConfig } from '@quire/config';
import { routeOf } from '@quire/gateway-service';
import { attachInternalIdentity, serviceOfInternalPath } from '@quire/http-server';
import { Listener, type RequestHandler } from '@quire/runtime';
import type { Target } from '@quire/topology';
import { AppContainer } from './app-container.js';
import { targetStarters } from './services.js';
import { startGateway } from './targets/gateway.js';

export interface RunningProcess {
  port: number;
  stop: () => Promise<void>;
}

/**
 * Runs targets in this process behind one port. The process is ready when the promise resolves.
 * @throws ConfigurationError with one line that names the required action, or the error of a component. Every started
 *   component is then stopped.
 */
export async function startProcess(options: {
  targets: readonly Target[];
  environment: Environment;
  site: SiteConfig;
  port: number;
}): Promise<RunningProcess> {
  const targets = withAdmin(options.targets, options.environment);
  const container = new AppContainer(options.environment, options.site, targets);
  const { health, lifecycle } = container;
  try {
    for (const [target, start] of targetStarters) if (targets.includes(target)) await start(container);
    const handle = targets.includes('gateway')
      ? routeInternalFirst(container, await startGateway(container))
      : internalRouter(container);
    const listener = await Listener.open(options.port, (request, response) => {
      if (!health.handle(request, response)) handle(request, response);
    });
    lifecycle.onShutdown('listener', () => listener.close());
    lifecycle.onShutdown('readiness', () => health.beginStop());
    return { port: listener.port, stop: () => lifecycle.stop() };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

/** Adds `admin` to a gateway unless ADMIN_URL names another process: its pages need no data. */
function withAdmin(targets: readonly Target[], { ADMIN_URL }: Environment): readonly Target[] {
  const isNeeded = targets.includes('gateway') && !targets.includes('admin') && ADMIN_URL === undefined;
  return isNeeded ? [...targets, 'admin'] : targets;
}

/**
 * Routes the internal requests of other processes to the services, and all others to the gateway, where internal paths
 * do not exist.
 */
function routeInternalFirst(container: AppContainer, gateway: RequestHandler): RequestHandler {
  const services = internalRouter(container);
  return (request, response) => {
    (isInternalRequest(container, request) ? services : gateway)(request, response);
  };
}

function isInternalRequest({ verifier }: AppContainer, request: IncomingMessage): boolean {
  const service = serviceOfInternalPath(request.url ?? '/');
  return service !== undefined && attachInternalIdentity(request, { service, verifier });
}

/** Routes requests of a gateway in another process to the services of this one, by their path. */
function internalRouter({ upstreams }: AppContainer): RequestHandler {
  return (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const upstream = upstreams.get(serviceOfInternalPath(path) ?? routeOf(path)?.service ?? '');
    if (upstream?.isLocal) {
      upstream.handle(request, response, {});
      return;
    }
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"success":false,"error":{"code":"NOT_FOUND","message":"Not found"}}');
  };
}
