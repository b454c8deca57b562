import type { NamespaceDeclaration } from '@quire/operation';
import { pagePaths } from '@quire/ui';

const disabledUnderEdgeAccess = (path: string) => ({ path, underEdgeAccess: 'disabled' }) as const;
const protectedUnderEdgeAccess = (path: string) => ({ path, underEdgeAccess: 'protected' }) as const;

/**
 * Rules of the gateway for all operations below a path. An edge access proxy replaces the built-in sign-in methods and
 * the OAuth server (spec document 1, Edge access mode): their paths are disabled, unless an operation or a deeper path
 * states otherwise.
 */
export const namespaces: readonly NamespaceDeclaration[] = [
  { path: 'auth', underEdgeAccess: 'disabled', cookies: 'all' },
  { path: 'setup', underEdgeAccess: 'disabled', cookies: 'all' },
  disabledUnderEdgeAccess('oauth'),
  ...['auth/me', 'auth/mode', 'auth/logout', 'auth/sessions', 'oauth/token', 'setup/status'].map(
    protectedUnderEdgeAccess,
  ),
  { path: '/_cms/oauth', underEdgeAccess: 'disabled', cookies: 'all' },
  // Forms of pages work without scripts, which the header against CSRF would need.
  { path: pagePaths.consent, csrf: 'form' },
  { path: pagePaths.home, csrf: 'form', cookies: 'all' },
  ...[
    pagePaths.login,
    pagePaths.signup,
    `${pagePaths.home}/invite`,
    pagePaths.device,
    pagePaths.setupAccount,
  ].map(disabledUnderEdgeAccess),
  { path: '/.well-known', underEdgeAccess: 'public', csrf: 'none' },
];
