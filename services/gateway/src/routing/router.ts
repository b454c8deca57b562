import { apiPrefix } from '@quire/http-server';
import { defaultGatewayRules, type GatewayRules } from '@quire/operation';
import createRouter from 'find-my-way';
import type { RouteTable } from './route-table.js';
import { routes } from './routes.generated.js';

/** Where a request goes, and by what rules. */
export interface Route extends GatewayRules {
  service: string;
}

/** Finds the route of a path, or undefined for a path that no service serves. */
export type Router = (path: string) => Route | undefined;

/** The method is not looked at: rules hold for all methods of a path. */
const method = 'GET';

/**
 * Reads paths as the services' own routers do: decoded, ending at a fragment, with or without a slash at the end.
 * Namespaces are matched as they are written only: a service is not found under an encoded spelling of its name.
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

/** Services reject malformed escapes themselves: until then such a path has the rules of a path of that shape. */
function withoutEscapes(path: string): string {
  return path.replaceAll('%', '_');
}

/** The route of a path, without its query, by what the services declare. */
export const routeOf: Router = routerOf(routes);

/** Whether a service has operations below the prefix of the API: others have pages only. */
export function hasApiOperations(service: string): boolean {
  return Object.keys(routes[service] ?? {}).some((namespace) => namespace.startsWith(`${apiPrefix}/`));
}
