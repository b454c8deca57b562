import { describe, expect, it } from '@jest/globals';
import { requireScope } from '../check/check.js';
import { isScope, scopes, scopesGrant } from './scopes.js';

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

  it('mcp:tools does not grant the tools of a plugin, nor the other way round', () => {
    expect(scopesGrant(['mcp:tools'], 'mcp:tools:shop')).toBe(false);
    expect(scopesGrant(['mcp:tools:shop'], 'mcp:tools')).toBe(false);
  });

  it.each(['taxonomies:manage', 'menus:manage'])('content:write implies %s', (scope) => {
    expect(scopesGrant(['content:write'], scope)).toBe(true);
    expect(scopesGrant(['content:read'], scope)).toBe(false);
  });

  it('grants nothing else to anybody', () => {
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

  it.each(['mcp:tools:shop', 'mcp:tools:a-b_1', ...scopes])('%s may stand on a token', (scope) => {
    expect(isScope(scope)).toBe(true);
  });

  it.each(['', 'content', 'content:*', 'ADMIN', 'mcp:tools:', 'mcp:tools:Shop', 'mcp:tools:1x', 'admin\n'])(
    '%j may not',
    (scope) => expect(isScope(scope)).toBe(false),
  );

  it('are asked of tokens alone: a session goes by its role', () => {
    expect(() => requireScope({ userId: 'u', role: 10 }, 'admin')).not.toThrow();
    expect(() => requireScope({ userId: 'u', role: 50, scopes: [] }, 'content:read')).toThrow(
      expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }),
    );
  });
});
