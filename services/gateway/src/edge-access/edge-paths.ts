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
const publicElsewhere = /^\/(?:\.well-known\/|_cms\/\.well-known\/auth$|_cms\/admin\/assets\/)/;
/** Public pages that the session cookie tells who the user is; it opens nothing else (spec document 1, Sessions). */
const acceptingSessionCookies = pattern(['comments(?:/.*)?']);

/**
 * The built-in ways to sign in, and to let applications in: the proxy takes their place (spec document 1, Edge access
 * mode). Below `auth`, `oauth` and `setup` what remains is named, so that a new way to sign in is one of the disabled
 * ones.
 */
const disabled = pattern([
  'auth/(?!(?:me|mode|logout|sessions)(?:/|$)).*',
  'oauth/(?!token(?:/|$)).*',
  'setup/(?!status(?:/|$)).*',
  'admin/users/[^/]*/send-recovery/?',
]);
const disabledPages = /^\/_cms\/(?:oauth|admin\/(?:login|signup|invite|device|setup\/account))(?:\/|$)/;

/** Whether a path is public although an edge access proxy is configured. */
export function isPublicUnderEdgeAccess(path: string): boolean {
  return open.test(path) || publicElsewhere.test(path);
}

/** Whether a path accepts the session cookie when there is no assertion. */
export function acceptsSessionCookie(path: string): boolean {
  return acceptingSessionCookies.test(path);
}

/** Whether a path is disabled while an edge access proxy signs users in. */
export function isDisabledUnderEdgeAccess(path: string): boolean {
  const decoded = asRouted(path);
  return disabled.test(decoded) || disabledPages.test(decoded);
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
