import { internalPrefix, pathOf } from '../bootstrap/paths.js';

/**
 * Which service answers which paths, below `/_cms/api` or from the root when they begin with `/`. The gateway hands on
 * by it, and a process that holds several services without a gateway tells them apart by it.
 */
const prefixes: readonly (readonly [prefix: string, service: string])[] = [
  ['admin/allowed-domains', 'auth'],
  ['admin/api-tokens', 'auth'],
  ['admin/audit-log', 'auth'],
  ['admin/byline-fields', 'content'],
  ['admin/bylines', 'content'],
  ['admin/comments', 'content'],
  ['admin/media-usage', 'media'],
  ['admin/oauth-clients', 'auth'],
  ['admin/users', 'auth'],
  ['auth', 'auth'],
  ['comments', 'content'],
  ['content', 'content'],
  ['dashboard', 'content'],
  ['manifest', 'content'],
  ['media', 'media'],
  ['menus', 'content'],
  ['oauth', 'auth'],
  ['redirects', 'content'],
  ['relations', 'content'],
  ['revisions', 'content'],
  ['schema', 'content'],
  ['search', 'search'],
  ['sections', 'content'],
  ['settings', 'content'],
  ['setup', 'auth'],
  ['taxonomies', 'content'],
  ['widget-areas', 'content'],
  ['/_cms/admin/device', 'auth'],
  ['/_cms/admin/invite', 'auth'],
  ['/_cms/admin/login', 'auth'],
  ['/_cms/admin/setup', 'auth'],
  ['/_cms/admin/signup', 'auth'],
  ['/_cms/admin', 'admin'],
  ['/_cms/oauth', 'auth'],
  ['/_cms/.well-known/auth', 'auth'],
  ['/.well-known/oauth-authorization-server', 'auth'],
  ['/.well-known/oauth-protected-resource', 'auth'],
];

/**
 * Paths whose service differs from that of the paths below them. The start page shows the account, its passkeys and
 * sessions, which only auth may change.
 */
const exact: ReadonlyMap<string, string> = new Map([
  ['/_cms', 'admin'],
  ['/_cms/', 'admin'],
  ['/_cms/admin', 'auth'],
  ['/_cms/admin/', 'auth'],
]);

const routes = prefixes.map(([prefix, service]) => ({ prefix: pathOf(prefix), service }));

/** The service that owns a path, or undefined when none does. */
export function serviceOfPath(path: string): string | undefined {
  const [pathname = ''] = path.split('?', 1);
  return (
    exact.get(pathname) ??
    routes.find(({ prefix }) => pathname === prefix || pathname.startsWith(`${prefix}/`))?.service
  );
}

/** Operations that may need long for all of their work, and by how long their clients wait at most. */
const slow: readonly (readonly [method: string, path: RegExp, seconds: number])[] = [
  ['POST', new RegExp(`^${pathOf('admin/media-usage/repair')}$`), 3600],
  // A store may copy a huge file before it answers, and the copy is read.
  ['POST', new RegExp(`^${pathOf('media')}/[^/]+/confirm$`), 3600],
];

/**
 * How long a service may take to begin its answer to a request, in seconds; undefined where the usual time is enough.
 */
export function responseTimeoutOf(method: string, url: string): number | undefined {
  const [path = ''] = url.split('?', 1);
  return slow.find(([slowMethod, slowPath]) => slowMethod === method && slowPath.test(path))?.[2];
}

/** The service that a path between services is meant for: `/_cms/api/internal/<service>/…`. */
export function serviceOfInternalPath(path: string): string | undefined {
  return path.startsWith(`${internalPrefix}/`)
    ? path.slice(internalPrefix.length + 1).split('/', 1)[0]
    : undefined;
}
