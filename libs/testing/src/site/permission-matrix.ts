import type * as jestGlobals from '@jest/globals';
import { scopes, type Permission, type Scope } from '@quire/permissions';
import type { ApiResponse, Client } from './client.js';
import { testRoles, type Site, type TestRole } from './open-site.js';
import { statusAndCode } from './read-response.js';

// Not imported: programs outside Jest use this library too, and the import throws there.
const { describe, expect, it } = globalThis as unknown as typeof jestGlobals;

/** Operations with the same permission requirements: one row of the permission matrix. */
export interface PermissionCase {
  permission: Permission;
  /** The least privileged role that has the permission. */
  minRole: TestRole;
  /** Token scopes, each of which is sufficient. `admin` is too; all others are rejected. */
  scopes: [Scope, ...Scope[]];
  /** Error code for roles without the permission. Default: FORBIDDEN. */
  rejection?: 'FORBIDDEN' | 'INSUFFICIENT_PERMISSIONS';
  /** Status for allowed callers. Default: any but 401, 403, 429 and 5xx. */
  expectedStatus?: number;
  /** By operationId. A call must change no state that later calls depend on. */
  operations: Record<string, Call>;
}

export type Call = (client: Client) => Promise<ApiResponse>;

const allowed = 'allowed';
const rejectedStatuses = [401, 403, 429];

/** Generates permission tests: each role by token and by session, each token scope, anonymous requests. */
export function describePermissions(site: () => Site, permissionCases: PermissionCase[]): void {
  const sessions = new Map<TestRole, Promise<Client>>();
  const withSession = (role: TestRole) => {
    const client = sessions.get(role) ?? site().signedIn(role);
    sessions.set(role, client);
    return client;
  };
  for (const permissionCase of permissionCases)
    for (const [name, call] of Object.entries(permissionCase.operations))
      describe(`${name} (${permissionCase.permission})`, () =>
        describeOperation(site, withSession, permissionCase, call));
}

function describeOperation(
  site: () => Site,
  withSession: (role: TestRole) => Promise<Client>,
  { minRole, scopes: sufficient, rejection = 'FORBIDDEN', expectedStatus }: PermissionCase,
  call: Call,
): void {
  const first = testRoles.indexOf(minRole);
  const below = testRoles[first - 1];
  const whom =
    first === 0 ? 'every role' : `the role ${minRole}${minRole === 'admin' ? '' : ' and those above'}`;
  const verdict = async (client: Client) => verdictOf(await call(client), expectedStatus);
  /** Result of the call for each role. */
  const verdicts = async (clientOf: (role: TestRole) => Promise<Client>) => {
    const met: string[] = [];
    for (const role of testRoles) met.push(`${role}: ${await verdict(await clientOf(role))}`);
    return met;
  };
  const expected = testRoles.map((role, index) => `${role}: ${index < first ? `403 ${rejection}` : allowed}`);

  it(`allows ${whom} by token`, async () => {
    expect(await verdicts((role) => site().as(role))).toEqual(expected);
  });

  it(`allows ${whom} by session`, async () => {
    expect(await verdicts(withSession)).toEqual(expected);
  });

  it.each(sufficient)('accepts a token with the scope %s', async (scope) => {
    for (const role of new Set([minRole, 'admin'] as const))
      expect([role, await verdict(await site().withScopes(role, [scope]))]).toEqual([role, allowed]);
  });

  it('rejects a token with all other scopes', async () => {
    const others = scopes.filter((scope) => scope !== 'admin' && !sufficient.includes(scope));
    expect(await verdict(await site().withScopes('admin', others))).toBe('403 INSUFFICIENT_SCOPE');
  });

  if (below !== undefined)
    it.each(sufficient)(`rejects a token of the role ${below} with the scope %s`, async (scope) => {
      expect(await verdict(await site().withScopes(below, [scope]))).toBe(`403 ${rejection}`);
    });

  it('rejects anonymous requests', async () => {
    expect(await verdict(site().anonymous())).toBe('401 NOT_AUTHENTICATED');
  });
}

/** `allowed`, or status and error code of the rejection. */
function verdictOf(response: ApiResponse, expected?: number): string {
  const { status } = response;
  const isAllowed =
    expected === undefined ? status < 500 && !rejectedStatuses.includes(status) : status === expected;
  return isAllowed ? allowed : statusAndCode(response).join(' ');
}
