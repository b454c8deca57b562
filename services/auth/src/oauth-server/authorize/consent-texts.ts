import type { Scope } from '@quire/permissions';
import { html, type Html } from '@quire/ui';

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
  'transfer:execute': 'Run an import',
  admin: 'Do everything that an administrator can',
};

/** @returns the description of a scope for the pages on which users grant it. */
export function scopeLabel(scope: string): string {
  return labels[scope as Scope] ?? `Use the tools of the plugin ${scope.slice(scope.lastIndexOf(':') + 1)}`;
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The warning about an application that no administrator approved. @param registeredAt ISO time */
export function unverifiedClientNote(registeredAt: string): Html {
  const date = dateFormat.format(new Date(registeredAt));
  return html`<p class="note warning">
    This application registered itself on <time datetime="${registeredAt}">${date}</time>. Its name is not
    verified.
  </p>`;
}
