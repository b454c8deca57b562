import { describe, expect, it } from '@jest/globals';
import { assertScope } from '../check/check.js';
import { roles } from './roles.js';
import { isImplied, isScope, roleMayGrant, scopes, scopesGrant } from './scopes.js';

describe('scopes (document 2, Scopes; contract 5)', () => {
  it.each([...scopes])('%s grants itself', (scope) => {
    expect(scopesGrant([scope], scope)).toBe(true);
  });

  it.each(scopes.filter((scope) => scope !== 'mcp:tools'))('admin grants %s', (scope) => {
    expect(scopesGrant(['admin'], scope)).toBe(true);
  });

  it.each(['mcp:tools', 'mcp:tools:shop'])('admin does not grant %s', (scope) => {
    expect(scopesGrant(['admin'], scope)).toBe(false);
  });

  it('mcp:tools grants the tools of every plugin, and not the other way round', () => {
    expect(scopesGrant(['mcp:tools'], 'mcp:tools:shop')).toBe(true);
    expect(scopesGrant(['mcp:tools:other'], 'mcp:tools:shop')).toBe(false);
    expect(scopesGrant(['mcp:tools:shop'], 'mcp:tools')).toBe(false);
  });

  it.each(['taxonomies:manage', 'menus:manage'])('content:write implies %s', (scope) => {
    expect(scopesGrant(['content:write'], scope)).toBe(true);
    expect(scopesGrant(['content:read'], scope)).toBe(false);
  });

  it('grants no other scope', () => {
    const pairs = scopes.flatMap((granted) => scopes.map((needed) => [granted, needed] as const));
    const surprising = pairs.filter(
      ([granted, needed]) => granted !== needed && granted !== 'admin' && scopesGrant([granted], needed),
    );
    expect(surprising).toEqual([
      ['content:write', 'taxonomies:manage'],
      ['content:write', 'menus:manage'],
    ]);
  });

  it('writing does not imply reading', () => {
    expect(scopesGrant(['content:write', 'schema:write', 'media:write'], 'content:read')).toBe(false);
  });

  it.each(['mcp:tools:shop', 'mcp:tools:a-b_1', ...scopes])('%s is a valid scope of a token', (scope) => {
    expect(isScope(scope)).toBe(true);
  });

  it.each(['', 'content', 'content:*', 'ADMIN', 'mcp:tools:', 'mcp:tools:Shop', 'mcp:tools:1x', 'admin\n'])(
    '%j is no valid scope of a token',
    (scope) => expect(isScope(scope)).toBe(false),
  );

  it('apply to tokens only: a session has its role', () => {
    expect(() => assertScope({ userId: 'u', role: 10 }, 'admin')).not.toThrow();
    expect(() => assertScope({ userId: 'u', role: 50, scopes: [] }, 'content:read')).toThrow(
      expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }),
    );
  });

  it('suffice when a token has one of several, or admin', () => {
    const either = ['transfer:analyze', 'transfer:execute'];
    const caller = (granted: string) => ({ userId: 'u', role: 50, scopes: [granted] });
    for (const granted of [...either, 'admin'])
      expect(() => assertScope(caller(granted), either)).not.toThrow();
    expect(() => assertScope(caller('transfer:export'), either)).toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_SCOPE',
        message: 'The token lacks the scope transfer:analyze or transfer:execute',
      }),
    );
  });
});

describe('roleMayGrant (contract 5, Scopes)', () => {
  const lowest: [number, string][] = [
    [10, 'content:read media:read mcp:tools:shop'],
    [20, 'content:write media:write'],
    [40, 'schema:read taxonomies:manage menus:manage settings:read'],
    [50, 'schema:write settings:manage mcp:tools transfer:export transfer:analyze transfer:execute admin'],
  ];
  const rows = lowest.flatMap(([role, names]) => names.split(' ').map((scope) => [scope, role] as const));

  it.each(rows)('requires for %s the role %i', (scope, needed) => {
    const levels = Object.values(roles);
    expect(levels.filter((role) => roleMayGrant(role, scope))).toEqual(
      levels.filter((role) => role >= needed),
    );
  });

  it('has a role for every scope, and rejects unknown ones', () => {
    expect(rows.map(([scope]) => scope)).toEqual(expect.arrayContaining([...scopes]));
    expect(roleMayGrant(50, 'everything')).toBe(false);
  });

  it('applies isImplied in one direction', () => {
    const pairs = ['content:write', 'mcp:tools', 'admin', 'content:read'].flatMap((granted) =>
      [...scopes, 'mcp:tools:shop'].map((scope) => [granted, scope] as const),
    );
    expect(pairs.filter(([granted, scope]) => isImplied([granted], scope))).toEqual([
      ['content:write', 'taxonomies:manage'],
      ['content:write', 'menus:manage'],
      ['mcp:tools', 'mcp:tools:shop'],
    ]);
  });
});
