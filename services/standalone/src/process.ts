import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment, SiteConfig } from '@quire/config';
import { routeOf } from '@quire/gateway-service';
import { attachInternalIdentity, serviceOfInternalPath } from '@quire/http-server';
import { Listener, type RequestHandler } from '@quire/runtime';
import { apiTargets, type Target } from '@quire/topology';
import { AppContainer } from './app-container.js';
import { startHeartbeat } from './heartbeat.js';
import { openOperations } from './operations/index.js';
import { targetStarters } from './services.js';
import { startTraces } from './start-traces.js';
import { startMoves } from './tenants/move/move-sweep.js';
import { startPurges } from './tenants/purge-sweep.js';
import { startGateway } from './targets/gateway.js';

export interface RunningProcess {
  port: number;
  /** Of `/readyz` and `/metrics`: another one than `port` if the process has the gateway. */
  opsPort: number;
  stop: () => Promise<void>;
}

const opsPortDistance = 1000;
const maxPort = 65_535;
const notFoundBody = '{"success":false,"error":{"code":"NOT_FOUND","message":"Not found"}}';

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
    // First, so that it ends last: the spans of the other parts are exported when they have stopped.
    await startTraces(container);
    for (const [target, start] of targetStarters) if (targets.includes(target)) await start(container);
    // They need the tables of all services, so no target of one service starts them.
    if (targets.includes('auth-worker')) {
      await startPurges(container);
      await startMoves(container);
    }
    const handle = targets.includes('gateway')
      ? routeInternalFirst(container, await startGateway(container))
      : internalRouter(container);
    const isPublic = targets.includes('gateway');
    const ops = isPublic ? await openOpsListener(container, options.port) : undefined;
    // Only operators call a process without a service.
    const host = targets.some(isApiTarget) ? undefined : options.environment.CMS_OPS_HOST;
    const handleAll: RequestHandler = (request, response) => {
      const isHealth = isPublic ? health.handleAlive(request, response) : health.handle(request, response);
      if (!isHealth) handle(request, response);
    };
    const listener = await Listener.open(options.port, handleAll, { host });
    lifecycle.onShutdown('listener', () => listener.close());
    lifecycle.beforeShutdown(async () => {
      health.beginStop();
      listener.beginDrain();
      await wait(options.environment.CMS_DRAIN_SECONDS * 1000);
    });
    // The admin service may have no database.
    if (options.environment.DATABASE_URL !== undefined) startHeartbeat(container);
    const { port } = listener;
    return { port, opsPort: ops?.port ?? port, stop: () => lifecycle.stop() };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

/**
 * Opens the port of operators (decision 49). The public one shows visitors neither dependencies nor numbers.
 * @param publicPort 0 for free ports
 */
async function openOpsListener(container: AppContainer, publicPort: number): Promise<Listener> {
  const { health, environment, lifecycle } = container;
  const operations = openOperations(container);
  const port = environment.CMS_OPS_PORT ?? defaultOpsPort(publicPort);
  const handle: RequestHandler = (request, response) => {
    if (health.handle(request, response) || operations.handle(request, response)) return;
    response.writeHead(404, { 'content-type': 'application/json' }).end(notFoundBody);
  };
  const listener = await Listener.open(port, handle, {
    host: environment.CMS_OPS_HOST,
    portVariable: 'CMS_OPS_PORT',
  });
  lifecycle.onShutdown('operations listener', () => listener.close());
  return listener;
}

function defaultOpsPort(publicPort: number): number {
  if (publicPort === 0) return 0;
  const port = publicPort + opsPortDistance;
  return port <= maxPort ? port : publicPort - opsPortDistance;
}

const isApiTarget = (target: Target) => (apiTargets as readonly Target[]).includes(target);

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
    response.writeHead(404, { 'content-type': 'application/json' }).end(notFoundBody);
  };
}
