import type { NamespaceDeclaration } from '@quire/operation';

/** What holds for whole parts of the service's paths. */
export const namespaces: readonly NamespaceDeclaration[] = [
  { path: 'media/file', underEdgeAccess: 'public' },
];
