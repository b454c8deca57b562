import { apiPrefix } from '@quire/http-server';

const pathsOf = (endpoints: readonly string[]) =>
  new Set(endpoints.map((endpoint) => `${apiPrefix}/oauth/${endpoint}`));

const crossOriginPaths = pathsOf(['token', 'register', 'device/code', 'device/token']);
const sameOriginPaths = pathsOf(['token/refresh', 'token/revoke']);

/** Endpoints of the OAuth protocol that pages of any origin may use (contract 4). */
export const allowsCrossOrigin = (path: string): boolean => crossOriginPaths.has(path);

/**
 * Endpoints of the OAuth protocol: what the body carries is all that counts there (mcp-tools 15). A credential beside
 * it, such as the access token that is just being replaced, is not looked at.
 */
export const isProtocolPath = (path: string): boolean =>
  crossOriginPaths.has(path) || sameOriginPaths.has(path);
