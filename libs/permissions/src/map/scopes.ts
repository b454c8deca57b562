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

/** True for a scope that a token may carry. */
export function isScope(text: string): boolean {
  return (scopes as readonly string[]).includes(text) || pluginScope.test(text);
}

/** Whether a token with these scopes passes an operation that needs `needed`. */
export function scopesGrant(granted: readonly string[], needed: string): boolean {
  if (granted.includes(needed)) return true;
  if (granted.includes('admin') && !needed.startsWith('mcp:tools')) return true;
  return impliedByContentWrite.includes(needed) && granted.includes('content:write');
}
