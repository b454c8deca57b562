import type { NamespaceDeclaration } from '@quire/operation';
import { pagePaths } from '@quire/ui';

/** Rules of the gateway for all paths below one of the service. */
export const namespaces: readonly NamespaceDeclaration[] = [
  // Operations of the import itself, and of exports and approvals.
  { path: 'admin/transfer', availableDuringImport: true },
  // The sign-out form of the page needs the CSRF token; session cookies are not forwarded.
  { path: `${pagePaths.home}/settings`, csrf: 'form', cookies: ['cms_admin_csrf'] },
];
