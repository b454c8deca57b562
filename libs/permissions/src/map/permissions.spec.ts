import { describe, expect, it } from '@jest/globals';
import { can, canOnRow, assertOnRow, assertPermission } from '../check/check.js';
import { permissions, type OwnablePermission, type Permission } from './permissions.js';
import { roleNamed, roles } from './roles.js';

/** Contract 5 and document 2: the lowest role of each permission, as a second copy. */
const minRole: Record<number, string> = {
  10: `content:read media:read taxonomies:read comments:read menus:read bylines:read widgets:read sections:read
       search:read auth:manage_own_credentials`,
  20: 'content:read_drafts content:create media:upload',
  30: 'content:edit_own content:delete_own content:publish_own media:edit_own media:delete_own',
  40: `content:edit_any content:delete_any content:publish_any media:edit_any media:delete_any taxonomies:manage
       comments:moderate menus:manage bylines:manage widgets:manage sections:manage redirects:read settings:read
       schema:read plugins:read`,
  50: `content:delete_permanent comments:delete comments:settings redirects:manage users:read users:invite users:manage
       settings:manage schema:manage plugins:manage import:execute backups:manage search:manage
       auth:manage_connections transfer:export transfer:import`,
};

const rows = Object.entries(minRole).flatMap(([role, names]) =>
  names.split(/\s+/).map((name) => [name as Permission, Number(role)] as const),
);
const levels = Object.values(roles);

describe('permissions (contract 5)', () => {
  it.each(rows)('%s requires the role %i', (permission, lowest) => {
    const holders = levels.filter((role) => can({ userId: 'u', role }, permission));
    expect(holders).toEqual(levels.filter((role) => role >= lowest));
  });

  it('has no other permission', () => {
    expect(Object.keys(permissions).sort()).toEqual(rows.map(([name]) => name).sort());
  });

  it('grants nothing to anonymous callers', () => {
    expect(rows.filter(([permission]) => can({ userId: null, role: 0 }, permission))).toEqual([]);
  });

  it('excludes the role from errors, and names the permission', () => {
    expect(() => assertPermission({ userId: 'u', role: 20 }, 'content:edit_own')).toThrow(
      expect.objectContaining({
        code: 'FORBIDDEN',
        message: 'Your role does not allow this (content:edit_own)',
      }),
    );
  });
});

describe('canOnRow and assertOnRow (contract 5)', () => {
  const ownable: OwnablePermission[] = [
    'content:edit',
    'content:delete',
    'content:publish',
    'media:edit',
    'media:delete',
  ];
  const cases = ownable.flatMap((permission) => [
    { permission, role: 20, owner: 'me', isAllowed: false },
    { permission, role: 30, owner: 'me', isAllowed: true },
    { permission, role: 30, owner: 'other', isAllowed: false },
    { permission, role: 30, owner: null, isAllowed: false },
    { permission, role: 40, owner: 'other', isAllowed: true },
    { permission, role: 40, owner: null, isAllowed: true },
  ]);

  it.each(cases)(
    '$permission as role $role on a row of $owner: $isAllowed',
    ({ permission, role, owner, isAllowed }) => {
      const caller = { userId: 'me', role };
      expect(canOnRow(caller, permission, owner)).toBe(isAllowed);
      const assertion = () => assertOnRow(caller, permission, owner);
      if (isAllowed) expect(assertion).not.toThrow();
      else expect(assertion).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
    },
  );

  it('reject a caller without a user on a row without an owner', () => {
    expect(canOnRow({ userId: null, role: 30 }, 'content:edit', null)).toBe(false);
  });
});

describe('roleNamed (document 1, Roles)', () => {
  it.each([
    [10, 'SUBSCRIBER'],
    [20, 'CONTRIBUTOR'],
    [30, 'AUTHOR'],
    [40, 'EDITOR'],
    [50, 'ADMIN'],
    [25, undefined],
    [0, undefined],
  ])('of %i is %s', (level, name) => {
    expect(roleNamed(level)).toBe(name);
  });
});
