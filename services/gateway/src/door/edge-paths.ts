import { apiPrefix } from '@quire/http-server';

/** What needs no assertion: public operations (contract 4), and what a secret of the caller's own opens. */
const open = pattern([
  'comments(?:/.*)?',
  'redirects/resolve',
  'openapi\\.json',
  'auth/mode',
  'setup/status',
  'media/file/.*',
  'oauth/token(?:/refresh|/revoke)?',
]);
const openElsewhere = /^\/(?:\.well-known\/|_cms\/\.well-known\/auth$|_cms\/admin\/assets\/)/;
/** Public pages that the session cookie tells who the user is; it opens nothing else (spec document 1, Sessions). */
const knowingSessions = pattern(['comments(?:/.*)?']);

/**
 * The built-in ways to sign in, and to let applications in: the proxy takes their place (spec document 1, Edge access mode).
 * Below `auth`, `oauth` and `setup` what remains is named, so that a new way to sign in is one of the replaced ones.
 */
const replaced = pattern([
  'auth/(?!(?:me|mode|logout|sessions)(?:/|$)).*',
  'oauth/(?!token(?:/|$)).*',
  'setup/(?!status(?:/|$)).*',
  'admin/users/[^/]*/send-recovery/?',
]);
const replacedPages = /^\/_cms\/(?:oauth|admin\/(?:login|signup|invite|device|setup\/account))(?:\/|$)/;

/** Whether a path is open to those who come past the edge access proxy. */
export function isOpenAtTheEdge(path: string): boolean {
  return open.test(path) || openElsewhere.test(path);
}

/** Whether the session cookie says who calls a path when no assertion does. */
export function isKnowingSessions(path: string): boolean {
  return knowingSessions.test(path);
}

/** Whether a path is not there while the edge access proxy signs people in. */
export function isReplacedByTheEdge(path: string): boolean {
  const decoded = asRouted(path);
  return replaced.test(decoded) || replacedPages.test(decoded);
}

/** A path as the services' routers read it: they decode it, and end it at a fragment. */
function asRouted(path: string): string {
  const [withoutFragment = ''] = path.split('#', 1);
  try {
    return decodeURIComponent(withoutFragment);
  } catch {
    return withoutFragment;
  }
}

function pattern(below: readonly string[]): RegExp {
  return new RegExp(`^${apiPrefix}/(?:${below.join('|')})$`);
}
