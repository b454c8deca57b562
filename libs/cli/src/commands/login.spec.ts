import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  openFakeSite,
  sendError,
  sendJson,
  type FakeSite,
  type ReceivedRequest,
} from '../fake-site.fixture.js';
import { runCommand, type RunOptions } from '../run-command.fixture.js';

const tokenCall = 'POST /_cms/api/oauth/token';
const deviceCall = 'POST /_cms/api/oauth/device/code';

let site: FakeSite;
let folder: string;

beforeEach(async () => {
  site = await openFakeSite();
  folder = await mkdtemp(join(tmpdir(), 'quire-cli-login-'));
  site.on(deviceCall, (_, response) =>
    sendJson(response, {
      device_code: 'device-1',
      user_code: 'ABCD-EFGH',
      verification_uri: `${site.origin}/_cms/admin/device`,
      expires_in: 900,
      interval: 5,
    }),
  );
});
afterEach(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

const run = (args: string[], options: Partial<RunOptions> = {}) =>
  runCommand(args, { configFolder: join(folder, 'quire'), ...options });
const logIn = (...args: string[]) => run(['login', site.origin, ...args]);

/** Lets the token endpoint give the responses in their order. @returns the forms that it receives */
function respondToPolls(...responses: (object | string | number)[]): URLSearchParams[] {
  const forms: URLSearchParams[] = [];
  site.on(tokenCall, ({ body }, response) => {
    forms.push(new URLSearchParams(body));
    const next = responses[forms.length - 1] ?? 'invalid_grant';
    if (next === 0) return void response.destroy();
    if (typeof next === 'number') return sendError(response, next, 'RATE_LIMITED');
    if (typeof next === 'string') return sendJson(response, { error: next }, 400);
    sendJson(response, next);
  });
  return forms;
}
const tokens = {
  access_token: 'access-1',
  refresh_token: 'refresh-1',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: 'transfer:export',
};
const storedSites = async () =>
  JSON.parse(await readFile(join(folder, 'quire/sites.json'), 'utf8')) as { defaultSite: string };

describe('cms login', () => {
  it('prints address and code, and stores the tokens where only the user can read them', async () => {
    const forms = respondToPolls('authorization_pending', tokens);
    const { exitCode, stdout, stderr, delays } = await logIn();
    expect([exitCode, stdout, delays]).toEqual([
      0,
      `Logged in at ${site.origin} as ann@site.example\n`,
      [5000, 5000],
    ]);
    expect(stderr).toContain(
      `Open ${site.origin}/_cms/admin/device in a browser and enter the code ABCD-EFGH`,
    );
    expect(Object.fromEntries(forms[0] ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'device-1',
      client_id: 'cms-cli',
    });
    expect(await storedSites()).toMatchObject({
      defaultSite: site.origin,
      sites: {
        [site.origin]: { accessToken: 'access-1', refreshToken: 'refresh-1', email: 'ann@site.example' },
      },
    });
    const modeOf = async (path: string) => (await stat(join(folder, path))).mode & 0o777;
    expect([await modeOf('quire'), await modeOf('quire/sites.json')]).toEqual([0o700, 0o600]);
    expect(await readdir(join(folder, 'quire'))).toEqual(['sites.json']);
  });

  it('asks for the scopes of transfers, or for the given ones', async () => {
    const scopes: (string | null)[] = [];
    const record = ({ body }: ReceivedRequest) => scopes.push(new URLSearchParams(body).get('scope'));
    site.on(deviceCall, (request, response) => {
      record(request);
      sendError(response, 400, 'INVALID_SCOPE');
    });
    await logIn();
    await logIn('--scope', 'content:read', '--scope', 'media:read');
    expect(scopes).toEqual(['transfer:export', 'content:read media:read']);
  });

  it('polls more slowly after slow_down, a rate limit and a broken connection', async () => {
    respondToPolls('slow_down', 'authorization_pending', 429, 0, tokens);
    const { exitCode, delays } = await logIn();
    expect([exitCode, delays]).toEqual([0, [5000, 10_000, 10_000, 10_000, 20_000]]);
  });

  it.each([
    ['access_denied', 'The login was denied in the browser\n'],
    ['expired_token', 'The code has expired before it was approved: run the command again\n'],
    ['invalid_grant', 'invalid_grant\n'],
  ])('ends with one line after %s, and stores nothing', async (error, line) => {
    respondToPolls('authorization_pending', error);
    const { exitCode, stdout, stderr } = await logIn();
    expect([exitCode, stdout, stderr.split('\n').slice(2).join('\n')]).toEqual([1, '', line]);
    await expect(storedSites()).rejects.toThrow('ENOENT');
  });

  it('exits with 130 when it is interrupted', async () => {
    const stopping = new AbortController();
    site.on(tokenCall, (_, response) => {
      stopping.abort();
      sendJson(response, { error: 'authorization_pending' }, 400);
    });
    const { exitCode, stderr } = await run(['login', site.origin], { signal: stopping.signal });
    expect([exitCode, stderr.split('\n').at(-2)]).toEqual([130, 'The login was interrupted']);
  });

  it('registers itself at a site without a client for command lines', async () => {
    site.on('GET /_cms/.well-known/auth', (_, response) => sendError(response, 404, 'NOT_FOUND'));
    let metadata: unknown;
    site.on('POST /_cms/api/oauth/register', ({ body }, response) => {
      metadata = JSON.parse(body);
      sendJson(response, { client_id: 'registered-1' }, 201);
    });
    const forms = respondToPolls(tokens);
    expect((await logIn()).exitCode).toBe(0);
    expect(forms[0]?.get('client_id')).toBe('registered-1');
    expect(metadata).toMatchObject({
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    });
  });

  it('names scopes that the role of the user does not allow', async () => {
    respondToPolls({ ...tokens, scope: 'content:read' });
    const { exitCode, stderr } = await logIn('--scope', 'transfer:export', '--scope', 'content:read');
    expect([exitCode, stderr.split('\n').at(-2)]).toEqual([
      1,
      'Not granted: transfer:export. The role of ann@site.example does not allow it.',
    ]);
  });

  it.each([
    ['http to another computer', 'http://cms.example', 'use https; http is for sites of this computer'],
    ['an address with a password', 'https://ann:secret@cms.example', 'has no user name and no password'],
    ['another scheme', 'ftp://cms.example', 'use https'],
    ['no address', 'https://', 'is not the address of a site'],
  ])('rejects %s without a request', async (_, address, message) => {
    const { exitCode, stderr } = await run(['login', address]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr.split('\n')).toHaveLength(2);
  });

  it('sends nothing to endpoints of another origin', async () => {
    site.on('GET /.well-known/oauth-authorization-server/_cms', (_, response) =>
      sendJson(response, {
        issuer: `${site.origin}/_cms`,
        token_endpoint: 'https://evil.example/token',
        device_authorization_endpoint: `${site.origin}/_cms/api/oauth/device/code`,
      }),
    );
    const { exitCode, stderr } = await logIn();
    expect([exitCode, stderr]).toEqual([
      1,
      `${site.origin} calls itself https://evil.example: use the address that it has\n`,
    ]);
    expect(site.calls).not.toContain(deviceCall);
  });

  it('points to personal tokens when an access proxy signs users in', async () => {
    site.on('GET /.well-known/oauth-authorization-server/_cms', (_, response) =>
      sendJson(response, { issuer: `${site.origin}/_cms`, token_endpoint: `${site.origin}/token` }),
    );
    const { exitCode, stderr } = await logIn();
    expect(exitCode).toBe(1);
    expect(stderr).toContain('set CMS_URL and CMS_TOKEN');
  });

  it('reports a server that is no site, one that redirects, and one that does not answer', async () => {
    site.on('GET /.well-known/oauth-protected-resource', (_, response) => void response.end('<html>'));
    expect((await logIn()).stderr).toBe(`${site.origin} is not a Quire site\n`);
    site.on(
      'GET /.well-known/oauth-protected-resource',
      (_, response) => void response.writeHead(301, { location: 'https://www.site.example/' }).end(),
    );
    expect((await logIn()).stderr).toBe(
      `${site.origin} redirects to https://www.site.example/: use the address that the site has\n`,
    );
    site.on('GET /.well-known/oauth-protected-resource', (_, response) => void response.destroy());
    expect((await logIn()).stderr).toMatch(/^http:\/\/127\.0\.0\.1:\d+ does not answer: .+\n$/);
  });
});
