import type { NamespaceDeclaration } from '@quire/operation';

/** Rules of all paths below one of the service. */
export const namespaces: readonly NamespaceDeclaration[] = [
  // Operations of the import itself, and of exports and approvals.
  { path: 'admin/transfer', availableDuringImport: true },
];
