import type { NamespaceDeclaration } from '@quire/operation';

/** Rules of all paths below one of the service. */
export const namespaces: readonly NamespaceDeclaration[] = [
  // Visitors read and write comments; a user who is signed in comments under their own name.
  { path: 'comments', underEdgeAccess: 'public-with-session', cookies: ['cms_commenter'] },
];
