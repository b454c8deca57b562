import { roles, type Role } from './roles.js';

/** Scopes of Bearer tokens, without the per-plugin family `mcp:tools:<pluginId>` (spec document 2, Scopes). */
export const scopes = [
  'content:read',
  'content:write',
  'media:read',
  'media:write',
  'schema:read',
  'schema:write',
  'taxonomies:manage',
  'menus:manage',
  'settings:read',
  'settings:manage',
  'mcp:tools',
  'transfer:export',
  'transfer:analyze',
  'transfer:execute',
  'admin',
] as const;

export type Scope = (typeof scopes)[number];

const pluginScope = /^mcp:tools:[a-z][a-z0-9_-]*$/;
const impliedByContentWrite: readonly string[] = ['taxonomies:manage', 'menus:manage'];

/** True for a valid scope of a token. */
export function isScope(text: string): boolean {
  return (scopes as readonly string[]).includes(text) || pluginScope.test(text);
}

/** Whether a token with these scopes may call an operation that requires `needed`. */
export function scopesGrant(granted: readonly string[], needed: string): boolean {
  if (granted.includes(needed)) return true;
  if (granted.includes('admin') && !needed.startsWith('mcp:tools')) return true;
  return isImplied(granted, needed);
}

/**
 * Whether other scopes imply a scope, in one direction: `content:write` implies two, `mcp:tools` that of every plugin.
 */
export function isImplied(granted: readonly string[], scope: string): boolean {
  if (pluginScope.test(scope)) return granted.includes('mcp:tools');
  return impliedByContentWrite.includes(scope) && granted.includes('content:write');
}

const { SUBSCRIBER, CONTRIBUTOR, EDITOR, ADMIN } = roles;

/** The lowest role that may grant a scope to an application (contract 5, Scopes). */
const minRole: Record<Scope, Role> = {
  'content:read': SUBSCRIBER,
  'content:write': CONTRIBUTOR,
  'media:read': SUBSCRIBER,
  'media:write': CONTRIBUTOR,
  'schema:read': EDITOR,
  'schema:write': ADMIN,
  'taxonomies:manage': EDITOR,
  'menus:manage': EDITOR,
  'settings:read': EDITOR,
  'settings:manage': ADMIN,
  'mcp:tools': ADMIN,
  'transfer:export': ADMIN,
  'transfer:analyze': ADMIN,
  'transfer:execute': ADMIN,
  admin: ADMIN,
};
/** Each tool of a plugin is also limited by its declared permission. */
const minRoleOfPluginScope = SUBSCRIBER;

/** Whether a user of this role may grant the scope to an application; false for an unknown scope. */
export function roleMayGrant(role: number, scope: string): boolean {
  if (!isScope(scope)) return false;
  return role >= (pluginScope.test(scope) ? minRoleOfPluginScope : minRole[scope as Scope]);
}
