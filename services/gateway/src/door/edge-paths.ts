import { apiPrefix } from '@quire/http-server';

/** What needs no credential, so that the proxy need not stand before it. */
const publicPaths = new RegExp(`^${apiPrefix}/(?:comments(?:/|$)|redirects/resolve$|openapi\\.json$|auth/mode$|setup/status$)`);

/** The built-in ways to sign in: the proxy takes their place (spec document 1, Edge access mode). */
const builtInPaths = new RegExp(`^${apiPrefix}/auth/(?:passkey|magic-link|invite|signup|oauth)(?:/|$)`);

/** Whether a path is open to those who come past the edge access proxy. */
export const isOpenAtTheEdge = (path: string): boolean => publicPaths.test(path);

/** Whether a path is not there while the edge access proxy signs people in. */
export const isReplacedByTheEdge = (path: string): boolean => builtInPaths.test(path);
