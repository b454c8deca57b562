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
 * Runs targets in this process behind one port, and is ready when it returns.
 * @throws ConfigurationError with one line that says what to do, or the failure of a part; nothing is left running.
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

/** A gateway serves the pages of `admin` itself, which need no data, unless ADMIN_URL names another process. */
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

/** Without a gateway in the process, requests come from one elsewhere: the path says which of our services is meant. */
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
