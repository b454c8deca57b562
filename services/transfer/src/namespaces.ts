import type { NamespaceDeclaration } from '@quire/operation';
import { pagePaths } from '@quire/ui';

/** Rules of the gateway for the pages of this service. */
export const namespaces: readonly NamespaceDeclaration[] = [
  // The sign-out form of the page needs the CSRF token; session cookies are not forwarded.
  { path: `${pagePaths.home}/settings`, csrf: 'form', cookies: ['cms_admin_csrf'] },
];
