import { describe, expect, it } from '@jest/globals';
import { anonymous, systemActor, type Principal } from '@quire/context';
import { z } from 'zod';
import { declareOperation, type Access, type Reauthentication } from '../declare/declaration.js';
import { authorise } from './operation.guard.js';

const tenant = { id: 'a', database: null };
const session = (role: number): Principal => ({ kind: 'session', tenant, userId: 'u', role });
const token = (role: number, scopes: string[]): Principal => ({
  kind: 'token',
  tenant,
  userId: 'u',
  role,
  scopes,
});
const operation = (access: Access) =>
  declareOperation({
    id: 'probe',
    method: 'GET',
    path: 'probe',
    summary: '',
    tag: '',
    access,
    scope: ['public', 'internal', 'delegated'].includes(access) ? null : 'content:write',
    response: z.unknown(),
  });

/** The result of the guard: `ok` or the error code. */
function verdict(access: Access, principal: Principal, reauthentication?: Reauthentication): string {
  try {
    authorise({ ...operation(access), ...(reauthentication ? { reauthentication } : {}) }, principal);
    return 'ok';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const cases: [Access, string, Principal, string][] = [
  ['public', 'an anonymous caller', anonymous(tenant), 'ok'],
  ['signed-in', 'an anonymous caller', anonymous(tenant), 'NOT_AUTHENTICATED'],
  ['content:create', 'an anonymous caller', anonymous(tenant), 'NOT_AUTHENTICATED'],
  ['internal', 'an anonymous caller', anonymous(tenant), 'NOT_AUTHENTICATED'],
  ['signed-in', 'a subscriber', session(10), 'ok'],
  ['session', 'a subscriber', session(10), 'ok'],
  ['session', 'a token', token(50, ['admin', 'content:write']), 'FORBIDDEN'],
  ['session', 'an anonymous caller', anonymous(tenant), 'NOT_AUTHENTICATED'],
  ['content:create', 'a subscriber', session(10), 'FORBIDDEN'],
  ['content:create', 'a contributor', session(20), 'ok'],
  ['content:edit', 'a contributor', session(20), 'FORBIDDEN'],
  ['content:edit', 'an author', session(30), 'ok'],
  ['content:edit', 'an editor', session(40), 'ok'],
  ['internal', 'an administrator', session(50), 'FORBIDDEN'],
  ['internal', 'a token with every scope', token(50, ['admin']), 'FORBIDDEN'],
  ['internal', 'the system', systemActor(tenant, 'system:spec'), 'ok'],
  ['delegated', 'an anonymous caller', anonymous(tenant), 'NOT_AUTHENTICATED'],
  ['delegated', 'an administrator', session(50), 'FORBIDDEN'],
  ['delegated', 'the system', systemActor(tenant, 'system:spec'), 'FORBIDDEN'],
  ['delegated', 'a token without scopes', token(10, []), 'ok'],
  ['content:delete_permanent', 'the system', systemActor(tenant, 'system:spec'), 'FORBIDDEN'],
  ['public', 'the system', systemActor(tenant, 'system:spec'), 'ok'],
  ['signed-in', 'a token without the scope', token(50, ['content:read']), 'INSUFFICIENT_SCOPE'],
  ['content:create', 'a token with the scope', token(20, ['content:write']), 'ok'],
  ['content:create', 'a token above its role', token(10, ['content:write']), 'FORBIDDEN'],
  ['content:create', 'a token that lacks scope and role', token(10, []), 'INSUFFICIENT_SCOPE'],
  ['transfer:export', 'a token that lacks scope and role', token(40, []), 'INSUFFICIENT_PERMISSIONS'],
  ['transfer:export', 'a session of an Editor', session(40), 'INSUFFICIENT_PERMISSIONS'],
  ['transfer:export', 'a token of an Admin without the scope', token(50, []), 'INSUFFICIENT_SCOPE'],
];

describe('authorise (contract 5): credential, then scope, then permission', () => {
  it.each(cases)('%s, %s', (access, _, principal, expected) => {
    expect(verdict(access, principal)).toBe(expected);
  });
});

describe('operation with several sufficient scopes', () => {
  const rights = { access: 'transfer:import', scope: ['transfer:analyze', 'transfer:execute'] } as const;

  it.each([...rights.scope, 'admin'])('accepts a token with the scope %s', (scope) => {
    expect(() => authorise(rights, token(50, [scope]))).not.toThrow();
  });

  it('rejects a token with another scope, and a role that is too low with any of them', () => {
    const rejected = (code: string) => expect.objectContaining({ code });
    expect(() => authorise(rights, token(50, ['transfer:export']))).toThrow(rejected('INSUFFICIENT_SCOPE'));
    expect(() => authorise(rights, token(40, [...rights.scope]))).toThrow(
      rejected('INSUFFICIENT_PERMISSIONS'),
    );
  });
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const signedIn = (minutes: number): Principal => ({ ...session(50), authenticatedAt: minutesAgo(minutes) });
const tokenOf = (tokenKind: Principal['tokenKind']): Principal => ({ ...token(50, ['admin']), tokenKind });

describe('operation that requires a recent sign-in (decision 58)', () => {
  it.each<[Reauthentication, string, Principal, string]>([
    ['recent', 'a sign-in of nine minutes ago', signedIn(9), 'ok'],
    ['recent', 'a sign-in of eleven minutes ago', signedIn(11), 'REAUTHENTICATION_REQUIRED'],
    ['recent', 'a sign-in of unknown time', session(50), 'REAUTHENTICATION_REQUIRED'],
    ['recent', 'a role that is too low', session(40), 'FORBIDDEN'],
    ['recent', 'a personal token', tokenOf('personal'), 'ok'],
    ['recent', 'the token of an application', tokenOf('oauth'), 'FORBIDDEN'],
    ['recent', 'a token of unknown kind', tokenOf(undefined), 'FORBIDDEN'],
    ['recent-session', 'a sign-in of nine minutes ago', signedIn(9), 'ok'],
    ['recent-session', 'a personal token', tokenOf('personal'), 'FORBIDDEN'],
  ])('%s, %s', (reauthentication, _, principal, expected) => {
    expect(verdict('users:manage', principal, reauthentication)).toBe(expected);
  });
});

describe('declareOperation', () => {
  it('throws without a scope unless the operation is public or internal', () => {
    const declaration = { ...operation('content:create'), scope: null };
    expect(() => declareOperation(declaration)).toThrow('only operations without a permission');
  });
});
