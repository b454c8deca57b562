import { beforeAll, describe, expect, it } from '@jest/globals';
import { useEdgeTestEnvironment, type EdgeSite } from './support.js';

const testEnvironment = useEdgeTestEnvironment();
let site: EdgeSite;
let assertion: string;
let token: string;

beforeAll(async () => {
  site = await testEnvironment.site(await testEnvironment.start());
  assertion = await site.assert('first');
  await site.get('/auth/me', { assertion });
  token = await site.token('editor');
});

const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'menu_list' } };
const bearer = () => ({ authorization: `Bearer ${token}` });

describe('the MCP server behind an edge access proxy (document 2, Authentication)', () => {
  it('accepts a Bearer token, with the assertion of the proxy or without', async () => {
    for (const own of [undefined, assertion]) {
      const { status, text } = await site.send('POST', '/mcp', { body, headers: bearer(), assertion: own });
      expect([status, JSON.parse(text).result]).toEqual([200, { content: [{ type: 'text', text: '[]' }] }]);
    }
  });

  it('does not accept the assertion in place of a token, and opens no session', async () => {
    const { status, error, headers, session } = await site.send('POST', '/mcp', { body, assertion });
    expect([status, error?.code, session]).toEqual([401, 'NOT_AUTHENTICATED', undefined]);
    expect(headers['www-authenticate']).toContain('/.well-known/oauth-protected-resource"');
  });

  it('does not accept the assertion after an invalid token', async () => {
    const headers = { authorization: 'Bearer ec_pat_wrong' };
    const { status, error } = await site.send('POST', '/mcp', { body, assertion, headers });
    expect([status, error?.code]).toEqual([401, 'INVALID_TOKEN']);
  });

  it('refuses a valid token under a forged assertion, like all paths', async () => {
    const forged = `${assertion.slice(0, -8)}AAAAAAAA`;
    const sent = { headers: bearer(), assertion: forged };
    const rest = await site.send('GET', '/menus', sent);
    const mcp = await site.send('POST', '/mcp', { ...sent, body });
    expect([mcp.status, mcp.text]).toEqual([rest.status, rest.text]);
    expect([401, 403]).toContain(mcp.status);
  });
});
