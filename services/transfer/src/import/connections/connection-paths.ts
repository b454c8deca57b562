import { apiPrefix } from '@quire/http-server';
import { pagePaths } from '@quire/ui';

/** The source whose sites are connected by OAuth. */
export const connectedSource = 'legacy-com';

/** Path of the operation that completes an authorization request. */
export const callbackPath = `import/sources/${connectedSource}/callback`;

/** The result of an authorization request, as the import panel gets it. */
export type ConnectionResult = { connection: string } | { error: string; message: string };

/** @returns the redirect_uri of a site, which the operator registers at the provider */
export function redirectUriOf(origin: string): string {
  return `${origin}${apiPrefix}/${callbackPath}`;
}

/** @returns the path and query of the import panel, to which the browser is redirected from the callback */
export function importPanelPath(result: ConnectionResult): string {
  const query = new URLSearchParams({ source: connectedSource, ...result });
  return `${pagePaths.home}/import?${query.toString()}`;
}
