import type * as jestGlobals from '@jest/globals';
import { scopes, type Permission, type Scope } from '@quire/permissions';
import type { Answer, Client } from './client.js';
import { testRoles, type Site, type TestRole } from './open-site.js';
import { outcome } from './read-answer.js';

// Not by an import: programs outside Jest use this library too, and there it throws.
const { describe, expect, it } = globalThis as unknown as typeof jestGlobals;

/** Operations that ask the same of a caller: a row of the permission table. */
export interface Door {
  permission: Permission;
  /** The lowest role that holds the permission. */
  lowest: TestRole;
  /** The scopes of a token, each of which suffices. Beside them `admin` does, and no other. */
  scopes: [Scope, ...Scope[]];
  /** The status for whoever is let in. Without it that is any that is neither a refusal nor a failure. */
  answers?: number;
  /** By name. Each is addressed so that callers who get in change nothing for those who come later. */
  operations: Record<string, Call>;
}

export type Call = (client: Client) => Promise<Answer>;

const letIn = 'let in';
const refusals = [401, 403, 429];

/** Makes the tests of who is let in: roles by token and session, scopes of tokens, and nobody without a credential. */
export function describeDoors(site: () => Site, doors: Door[]): void {
  const sessions = new Map<TestRole, Promise<Client>>();
  const withSession = (role: TestRole) => {
    const client = sessions.get(role) ?? site().signedIn(role);
    sessions.set(role, client);
    return client;
  };
  for (const door of doors)
    for (const [name, call] of Object.entries(door.operations))
      describe(`${name} (${door.permission})`, () => describeOperation(site, withSession, door, call));
}

function describeOperation(
  site: () => Site,
  withSession: (role: TestRole) => Promise<Client>,
  { lowest, scopes: sufficient, answers }: Door,
  call: Call,
): void {
  const first = testRoles.indexOf(lowest);
  const below = testRoles[first - 1];
  const whom =
    first === 0 ? 'every role' : `the role ${lowest}${lowest === 'admin' ? '' : ' and those above'}`;
  const verdict = async (client: Client) => verdictOf(await call(client), answers);
  /** What the user of each role meets. */
  const verdicts = async (clientOf: (role: TestRole) => Promise<Client>) => {
    const met: string[] = [];
    for (const role of testRoles) met.push(`${role}: ${await verdict(await clientOf(role))}`);
    return met;
  };
  const expected = testRoles.map((role, index) => `${role}: ${index < first ? '403 FORBIDDEN' : letIn}`);

  it(`is for ${whom}, by token`, async () => {
    expect(await verdicts((role) => site().as(role))).toEqual(expected);
  });

  it(`is for ${whom}, by session`, async () => {
    expect(await verdicts(withSession)).toEqual(expected);
  });

  it.each(sufficient)('takes a token with the scope %s', async (scope) => {
    for (const role of new Set([lowest, 'admin'] as const))
      expect([role, await verdict(await site().withScopes(role, [scope]))]).toEqual([role, letIn]);
  });

  it('takes no token with all other scopes', async () => {
    const others = scopes.filter((scope) => scope !== 'admin' && !sufficient.includes(scope));
    expect(await verdict(await site().withScopes('admin', others))).toBe('403 INSUFFICIENT_SCOPE');
  });

  if (below !== undefined)
    it.each(sufficient)(`refuses a token of the role ${below} with the scope %s`, async (scope) => {
      expect(await verdict(await site().withScopes(below, [scope]))).toBe('403 FORBIDDEN');
    });

  it('is for nobody without a credential', async () => {
    expect(await verdict(site().anonymous())).toBe('401 NOT_AUTHENTICATED');
  });
}

/** Whether the caller was let in, and otherwise what came instead. */
function verdictOf(answer: Answer, expected?: number): string {
  const { status } = answer;
  const isLetIn = expected === undefined ? status < 500 && !refusals.includes(status) : status === expected;
  return isLetIn ? letIn : outcome(answer).join(' ');
}
