import { expect, it } from '@jest/globals';
import { scopes, type Scope } from '@quire/permissions';
import { callTool, testRoles, type Site, type TestRole } from '@quire/testing';

const rejections: unknown[] = ['INSUFFICIENT_SCOPE', 'INSUFFICIENT_PERMISSIONS'];

/**
 * Generates tests of the scope and the role that tools require (spec document 2, Scopes and Minimum roles).
 * @param calls valid arguments by tool; a call must change no state that later calls depend on
 */
export function describeToolAccess(
  site: Site,
  { scope, minRole }: { scope: Scope; minRole: TestRole },
  calls: Record<string, object>,
): void {
  const below = testRoles[testRoles.indexOf(minRole) - 1];
  const codeFor = async (role: TestRole, granted: Scope[], tool: string) =>
    callTool(await site.withScopes(role, granted), tool, calls[tool]);

  it.each(Object.keys(calls))(`%s requires the scope ${scope}`, async (tool) => {
    const others = scopes.filter((other) => other !== 'admin' && other !== scope);
    const { code, text } = await codeFor('admin', others, tool);
    expect(code).toBe('INSUFFICIENT_SCOPE');
    expect(text).toContain(scope);
    expect(rejections).not.toContain((await codeFor(minRole, [scope], tool)).code);
  });

  if (below !== undefined)
    it.each(Object.keys(calls))(`%s requires the role ${minRole}`, async (tool) => {
      expect((await codeFor(below, [scope], tool)).code).toBe('INSUFFICIENT_PERMISSIONS');
    });
}
