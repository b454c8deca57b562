import type { NamespaceDeclaration } from '@quire/operation';
import { pagePaths } from '@quire/ui';

/** Gateway rules of the service's path prefixes. */
export const namespaces: readonly NamespaceDeclaration[] = [
  // Other services also have pages below this path.
  { path: pagePaths.home, csrf: 'form', servesUndeclaredPaths: true },
  { path: `${pagePaths.home}/assets`, underEdgeAccess: 'public' },
  { path: pagePaths.panel, csrf: 'form' },
  { path: `${pagePaths.panel}/assets`, underEdgeAccess: 'public' },
];
