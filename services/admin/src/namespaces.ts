import type { NamespaceDeclaration } from '@quire/operation';
import { pagePaths } from '@quire/ui';

/** What holds for whole parts of the service's paths. */
export const namespaces: readonly NamespaceDeclaration[] = [
  // Other services have pages below this path too.
  { path: pagePaths.home, csrf: 'form', servesUndeclaredPaths: true },
  { path: `${pagePaths.home}/assets`, underEdgeAccess: 'public' },
];
