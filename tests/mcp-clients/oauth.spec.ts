import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, useSite, type Client } from '@quire/testing';
import { runConformance } from './conformance.js';
import { onConsentAddress } from './follow-consent.js';
import { folder, outputOf, runClient } from './run-program.js';
import { useSettingsFolder } from './settings-folder.js';
import { addContent, toolNames } from './site-with-content.js';

// The programs resolve the host themselves.
const site = useSite({ hosts: ['localhost'], forBrowsers: true });
const settings = useSettingsFolder();
let editor: Client;
beforeAll(async () => {
  await addContent(site);
  editor = await site.signedIn('editor');
});

const scopes = ['content:read'];

describe('mcp-remote', () => {
  it('signs its user in, lists every tool, and calls menu_list and content_get', async () => {
    const consent = onConsentAddress(editor, scopes);
    const proxy = join(folder, 'node_modules/mcp-remote/dist/proxy.js');
    // Without a port it prints the address with one that another program may have, and then listens at the next.
    const port = String(await freePort());
    const args = [
      proxy,
      `http://${site.host}/_cms/api/mcp`,
      port,
      '--allow-http',
      '--transport',
      'http-only',
    ];
    const env = { PATH: '', HOME: settings.home, MCP_REMOTE_CONFIG_DIR: settings.home };
    const input = { server: { command: process.execPath, args, env } };
    const report = await runClient<{ tools: string[]; menus: string; entry: string }>('mcp-remote', input, {
      ...settings,
      onOutput: consent.onOutput,
    });
    await consent.done();
    expect(report.tools).toEqual(toolNames);
    expect(JSON.parse(report.menus)).toEqual([expect.objectContaining({ name: 'main' })]);
    expect(JSON.parse(report.entry)).toMatchObject({ item: { slug: 'hello' } });
  });
});

describe('authorization server', () => {
  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])(
    'passes the scenarios of the conformance suite of revision %s',
    async (revision) => {
      const port = await freePort();
      const registered = await site.anonymous().post('/oauth/register', {
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
        client_name: 'Conformance suite',
        scope: scopes.join(' '),
      });
      const { client_id: id } = registered.body as { client_id: string };
      const consent = onConsentAddress(editor, scopes);
      const issuer = `http://${site.host}/_cms`;
      const result = await runConformance(
        [
          ...['authorization', '--url', issuer, '--client-id', id, '--port', String(port)],
          ...['--resource', `${issuer}/api/mcp`, '--spec-version', revision],
        ],
        { ...settings, onOutput: consent.onOutput },
      );
      await consent.done();
      expect({ code: result.code, output: result.code === 0 ? '' : outputOf(result) }).toEqual({
        code: 0,
        output: '',
      });
    },
  );
});
