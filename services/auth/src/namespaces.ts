import type { NamespaceDeclaration } from '@quire/operation';
import { pagePaths } from '@quire/ui';

const disabledUnderEdgeAccess = (path: string) => ({ path, underEdgeAccess: 'disabled' }) as const;
const protectedUnderEdgeAccess = (path: string) => ({ path, underEdgeAccess: 'protected' }) as const;

/**
 * What holds for whole parts of the service's paths. An edge access proxy replaces the built-in ways to sign in, and to
 * let applications in (spec document 1, Edge access mode): a new one is disabled with them unless it states otherwise.
 */
export const namespaces: readonly NamespaceDeclaration[] = [
  { path: 'auth', underEdgeAccess: 'disabled', cookies: 'all' },
  { path: 'setup', underEdgeAccess: 'disabled', cookies: 'all' },
  disabledUnderEdgeAccess('oauth'),
  ...['auth/me', 'auth/mode', 'auth/logout', 'auth/sessions', 'oauth/token', 'setup/status'].map(
    protectedUnderEdgeAccess,
  ),
  { path: '/_cms/oauth', underEdgeAccess: 'disabled', cookies: 'all' },
  // Pages have forms, which work without scripts.
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
