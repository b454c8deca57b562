import { apiPrefix } from '@quire/http-server';
import { defaultGatewayRules, type GatewayRules } from '@quire/operation';
import createRouter from 'find-my-way';
import type { RouteTable } from './route-table.js';
import { routes } from './routes.generated.js';

/** The service of a path, and the rules that apply to its requests. */
export interface Route extends GatewayRules {
  service: string;
}

/** Finds the route of a path; undefined if no service serves the path. */
export type Router = (path: string) => Route | undefined;

/** Placeholder for find-my-way: rules apply to all methods of a path. */
const method = 'GET';

/**
 * Creates a router that reads paths like the routers of the services: decoded, without a fragment, with or without a
 * slash at the end. Namespaces are matched literally: an encoded spelling of a namespace has no route.
 */
export function routerOf(table: RouteTable): Router {
  const router = createRouter({ ignoreTrailingSlash: true, maxParamLength: Number.MAX_SAFE_INTEGER });
  for (const [service, namespaces] of Object.entries(table))
    for (const [namespace, paths] of Object.entries(namespaces))
      for (const [path, rules] of Object.entries(paths)) {
        const route: Route = { service, ...defaultGatewayRules, ...rules };
        router.on(method, namespace + path, () => undefined, { namespace, route });
      }
  return (path) => {
    const found =
      router.find(method, path) ?? (path.includes('%') && router.find(method, withoutEscapes(path)));
    if (!found) return undefined;
    const { namespace, route } = found.store as { namespace: string; route: Route };
    const isPlain = path.startsWith(namespace) && [undefined, '/'].includes(path[namespace.length]);
    return isPlain ? route : undefined;
  };
}

/** Services reject malformed escapes. The gateway applies the rules of a path of the same shape. */
function withoutEscapes(path: string): string {
  return path.replaceAll('%', '_');
}

/** Finds the route of a path without its query in the generated table. */
export const routeOf: Router = routerOf(routes);

/** Whether a service has operations below the prefix of the API. Other services have only pages. */
export function hasApiOperations(service: string): boolean {
  return Object.keys(routes[service] ?? {}).some((namespace) => namespace.startsWith(`${apiPrefix}/`));
}
