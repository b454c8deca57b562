import { beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '@quire/permissions';
import { callTool, testRoles, useSite, type Client } from '@quire/testing';
import { coreTools } from './core-tools.js';
import { resultOf, rpc } from './support.js';

const site = useSite();

interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: string; properties: Record<string, { description: string }>; required?: string[] };
  annotations?: object;
}
let list: ListedTool[];
let listBytes: number;

beforeAll(async () => {
  const response = await rpc(await site.as('editor'), 'tools/list');
  list = resultOf(response).tools;
  listBytes = Buffer.byteLength(JSON.stringify(list));
});

/** Tools of site transfers are tested with them. */
const isTransferTool = (name: string) => name.startsWith('site_');

describe('tools/list (spec document 2, Tools)', () => {
  it('has the names and titles of the tools', () => {
    const own = list.filter(({ name }) => !isTransferTool(name));
    const expected = coreTools.map(([name, title]) => [name, title]);
    expect(own.map(({ name, title }) => [name, title]).sort()).toEqual(expected.sort());
    expect(coreTools).toHaveLength(64);
  });

  it('has at most 60,000 bytes, short names and descriptions that clients do not cut', () => {
    expect(listBytes).toBeLessThanOrEqual(60_000);
    for (const { name, description } of list) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,47}$/);
      expect(description.length).toBeGreaterThan(10);
      expect(description.length).toBeLessThan(2_048);
    }
  });

  it('has schemas in the form that all clients accept', () => {
    for (const { name, inputSchema, ...rest } of list) {
      expect([name, inputSchema.type]).toEqual([name, 'object']);
      for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'if', '$schema'])
        expect([name, Object.keys(inputSchema)]).not.toEqual([name, expect.arrayContaining([keyword])]);
      expect(JSON.stringify(inputSchema)).not.toMatch(/"\$(ref|defs|schema)"|"prefixItems"|\(\?[=!<]/);
      for (const [argument, { description }] of Object.entries(inputSchema.properties))
        expect([name, argument, typeof description]).toEqual([name, argument, 'string']);
      expect(Object.keys(inputSchema.properties)).toEqual(expect.arrayContaining(inputSchema.required ?? []));
      expect(rest).not.toHaveProperty('outputSchema');
    }
  });
});

/** The code of a refusal; `allowed` for any other result. */
async function verdict(client: Client, name: string, args: object): Promise<string> {
  const { code = '' } = await callTool(client, name, args);
  return code.startsWith('INSUFFICIENT_') ? code : 'allowed';
}
const impliedByContentWrite = ['taxonomies:manage', 'menus:manage'];

describe.each(coreTools)('%s', (name, _title, scope, minRole, hints, args) => {
  it('has exactly the hints of the contract', () => {
    expect(list.find((tool) => tool.name === name)?.annotations).toEqual(hints);
  });

  it(`needs the scope ${scope}, which its message names`, async () => {
    const sufficient = ['admin', scope, ...(impliedByContentWrite.includes(scope) ? ['content:write'] : [])];
    const others = scopes.filter((other) => !sufficient.includes(other));
    const refused = await callTool(await site.withScopes('admin', others), name, args);
    expect(refused.code).toBe('INSUFFICIENT_SCOPE');
    expect(refused.text).toContain(scope);
    for (const each of sufficient)
      expect([each, await verdict(await site.withScopes('admin', [each]), name, args)]).toEqual([
        each,
        'allowed',
      ]);
  });

  it(`needs the role ${minRole}`, async () => {
    const below = testRoles[testRoles.indexOf(minRole) - 1];
    expect(await verdict(await site.withScopes(minRole, [scope]), name, args)).toBe('allowed');
    if (below === undefined) return;
    for (const role of testRoles.slice(0, testRoles.indexOf(minRole)))
      expect([role, await verdict(await site.withScopes(role, [scope]), name, args)]).toEqual([
        role,
        'INSUFFICIENT_PERMISSIONS',
      ]);
  });
});

describe('a token with a scope above the role', () => {
  it('is limited by the role, also with admin', async () => {
    for (const [name, , , minRole, , args] of coreTools.filter(([, , , role]) => role !== 'subscriber'))
      expect([minRole, name, await verdict(await site.as('subscriber'), name, args)]).toEqual([
        minRole,
        name,
        'INSUFFICIENT_PERMISSIONS',
      ]);
  });
});
