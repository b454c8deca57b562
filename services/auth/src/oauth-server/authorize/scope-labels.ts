import type { Scope } from '@quire/permissions';

const labels: Record<Scope, string> = {
  'content:read': 'Read content',
  'content:write': 'Create and change content, menus and taxonomies',
  'media:read': 'Read media',
  'media:write': 'Upload and change media',
  'schema:read': 'Read collections and their fields',
  'schema:write': 'Change collections and their fields',
  'taxonomies:manage': 'Manage taxonomies and their terms',
  'menus:manage': 'Manage menus',
  'settings:read': 'Read settings',
  'settings:manage': 'Change settings',
  'mcp:tools': 'Use the tools of all plugins',
  'transfer:export': 'Export the site',
  'transfer:analyze': 'Analyse an import',
  'transfer:execute': 'Carry out an import',
  admin: 'Do everything that an administrator can',
};

/** What a scope lets an application do, in words. */
export function scopeLabel(scope: string): string {
  return labels[scope as Scope] ?? `Use the tools of the plugin ${scope.slice(scope.lastIndexOf(':') + 1)}`;
}
