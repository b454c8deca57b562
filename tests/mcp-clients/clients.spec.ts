import { beforeAll, describe, expect, it } from '@jest/globals';
import { useFixture, useSite } from '@quire/testing';
import { openAuthorizationProxy } from './authorization-proxy.js';
import { runClient } from './run-program.js';
import { useSettingsFolder } from './settings-folder.js';
import { addContent, toolNames } from './site-with-content.js';

const site = useSite();
const proxy = useFixture(() => openAuthorizationProxy(site));
const settings = useSettingsFolder();
let token: string | undefined;
beforeAll(async () => {
  await addContent(site);
  ({ token } = await site.withScopes('editor', ['content:read']));
});

interface Report {
  version?: string;
  tools: string[];
  menus: string;
  entry: string;
}

const modern = '2026-07-28';
const legacy = '2025-11-25';

describe.each([
  { client: '@modelcontextprotocol/sdk', program: 'sdk', version: legacy },
  { client: '@modelcontextprotocol/client, legacy', program: 'client', mode: 'legacy', version: legacy },
  { client: '@modelcontextprotocol/client, auto', program: 'client', mode: 'auto', version: modern },
  {
    client: '@modelcontextprotocol/client, pinned',
    program: 'client',
    mode: { pin: modern },
    version: modern,
  },
  { client: '@ai-sdk/mcp', program: 'ai-sdk', version: modern },
  // it does not report the revision
  { client: '@langchain/mcp-adapters', program: 'langchain', version: undefined },
])('$client', ({ program, mode, version }) => {
  it('lists every tool, and calls menu_list and content_get', async () => {
    const input = { url: proxy.url, token, mode };
    const report = await runClient<Report>(program, input, { home: settings.home });
    expect(report.version).toBe(version);
    expect(report.tools).toEqual(toolNames);
    expect(JSON.parse(report.menus)).toEqual([expect.objectContaining({ name: 'main' })]);
    expect(JSON.parse(report.entry)).toMatchObject({ item: { slug: 'hello', data: { title: 'Hello' } } });
  });
});
