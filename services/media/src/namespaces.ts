import type { NamespaceDeclaration } from '@quire/operation';

/** Rules of all paths below a path. */
export const namespaces: readonly NamespaceDeclaration[] = [
  { path: 'media/file', underEdgeAccess: 'public' },
];
