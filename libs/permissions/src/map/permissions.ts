import { roles, type Role } from './roles.js';

const { SUBSCRIBER, CONTRIBUTOR, AUTHOR, EDITOR, ADMIN } = roles;

/** Every permission and the lowest role that holds it (contract 5; spec document 2, Minimum roles). */
export const permissions = {
  'content:read': SUBSCRIBER,
  'content:read_drafts': CONTRIBUTOR,
  'content:create': CONTRIBUTOR,
  'content:edit_own': AUTHOR,
  'content:edit_any': EDITOR,
  'content:delete_own': AUTHOR,
  'content:delete_any': EDITOR,
  'content:publish_own': AUTHOR,
  'content:publish_any': EDITOR,
  'content:delete_permanent': ADMIN,
  'media:read': SUBSCRIBER,
  'media:upload': CONTRIBUTOR,
  'media:edit_own': AUTHOR,
  'media:edit_any': EDITOR,
  'media:delete_own': AUTHOR,
  'media:delete_any': EDITOR,
  'taxonomies:read': SUBSCRIBER,
  'taxonomies:manage': EDITOR,
  'comments:read': SUBSCRIBER,
  'comments:moderate': EDITOR,
  'comments:delete': ADMIN,
  'comments:settings': ADMIN,
  'menus:read': SUBSCRIBER,
  'menus:manage': EDITOR,
  'bylines:read': SUBSCRIBER,
  'bylines:manage': EDITOR,
  'widgets:read': SUBSCRIBER,
  'widgets:manage': EDITOR,
  'sections:read': SUBSCRIBER,
  'sections:manage': EDITOR,
  'redirects:read': EDITOR,
  'redirects:manage': ADMIN,
  'users:read': ADMIN,
  'users:invite': ADMIN,
  'users:manage': ADMIN,
  'settings:read': EDITOR,
  'settings:manage': ADMIN,
  'schema:read': EDITOR,
  'schema:manage': ADMIN,
  'plugins:read': EDITOR,
  'plugins:manage': ADMIN,
  'import:execute': ADMIN,
  'backups:manage': ADMIN,
  'search:read': SUBSCRIBER,
  'search:manage': ADMIN,
  'auth:manage_own_credentials': SUBSCRIBER,
  'auth:manage_connections': ADMIN,
  'transfer:export': ADMIN,
  'transfer:import': ADMIN,
} as const satisfies Record<string, Role>;

export type Permission = keyof typeof permissions;

/** Permissions that come as a pair: own rows, or any rows. */
export type OwnablePermission =
  'content:edit' | 'content:delete' | 'content:publish' | 'media:edit' | 'media:delete';
