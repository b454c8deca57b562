import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openFakeSite, sendError, sendJson, type FakeSite } from '../fake-site.fixture.js';
import { runCommand, type RunOptions } from '../run-command.fixture.js';
import { SiteStore, type Login } from '../sites/site-store.js';

const tokenCall = 'POST /_cms/api/oauth/token';
const meCall = 'GET /_cms/api/auth/me';
const revokeCall = 'POST /_cms/api/oauth/token/revoke';
const hourMs = 3_600_000;

let site: FakeSite;
let folder: string;
/** Tokens that the site accepts; a refresh replaces both. */
let valid: { access: string; refresh: string };
let refreshes: string[];

beforeEach(async () => {
  site = await openFakeSite();
  folder = await mkdtemp(join(tmpdir(), 'quire-cli-credentials-'));
  valid = { access: 'access-1', refresh: 'refresh-1' };
  refreshes = [];
  site.on(meCall, ({ headers }, response) =>
    headers.authorization === `Bearer ${valid.access}`
      ? sendJson(response, { data: { id: 'u1', email: 'ann@site.example', name: null, role: 50 } })
      : sendError(response, 401, 'INVALID_TOKEN'),
  );
  site.on(tokenCall, ({ body }, response) => {
    const refreshToken = new URLSearchParams(body).get('refresh_token') ?? '';
    refreshes.push(refreshToken);
    if (refreshToken !== valid.refresh) return sendJson(response, { error: 'invalid_grant' }, 400);
    const next = refreshes.length + 1;
    valid = { access: `access-${next}`, refresh: `refresh-${next}` };
    sendJson(response, { access_token: valid.access, refresh_token: valid.refresh, expires_in: 3600 });
  });
  site.on(revokeCall, (_, response) => sendJson(response, { data: { revoked: true } }));
});
afterEach(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

const run = (args: string[], options: Partial<RunOptions> = {}) =>
  runCommand(args, { configFolder: folder, ...options });
const stored = () => new SiteStore(folder).read();
const loginOf = (changes: Partial<Login> = {}): Login => ({
  clientId: 'cms-cli',
  tokenEndpoint: `${site.origin}/_cms/api/oauth/token`,
  revocationEndpoint: `${site.origin}/_cms/api/oauth/token/revoke`,
  accessToken: 'access-1',
  refreshToken: 'refresh-1',
  expiresAt: new Date(Date.now() + hourMs).toISOString(),
  scopes: ['transfer:export'],
  email: 'ann@site.example',
  ...changes,
});
const storeLogin = (changes: Partial<Login> = {}, origin = site.origin) =>
  new SiteStore(folder).update((sites) => {
    sites.sites[origin] = loginOf(changes);
    sites.defaultSite = origin;
  });
const outcome = ({ exitCode, stdout, stderr }: Awaited<ReturnType<typeof run>>) => [exitCode, stdout, stderr];

describe('cms whoami', () => {
  it('prints the user of the default site, without a refresh', async () => {
    await storeLogin();
    expect(outcome(await run(['whoami']))).toEqual([
      0,
      `ann@site.example at ${site.origin}\nId: u1\nScopes: transfer:export\n`,
      '',
    ]);
    expect(refreshes).toEqual([]);
  });

  it('prints one JSON line with --json, also for an error', async () => {
    await storeLogin();
    const { stdout } = await run(['whoami', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      type: 'result',
      site: site.origin,
      user: { id: 'u1', email: 'ann@site.example', name: null, role: 50 },
      scopes: ['transfer:export'],
    });
    site.on(meCall, (_, response) => sendError(response, 403, 'INSUFFICIENT_SCOPE'));
    const failed = await run(['whoami', '--json']);
    expect(JSON.parse(failed.stdout)).toMatchObject({ type: 'error', code: 'INSUFFICIENT_SCOPE' });
    expect(failed.exitCode).toBe(1);
  });

  it('refreshes the tokens after a 401, and stores both new ones', async () => {
    await storeLogin();
    valid.access = 'revoked elsewhere';
    expect((await run(['whoami'])).exitCode).toBe(0);
    expect((await stored()).sites[site.origin]).toMatchObject({
      accessToken: 'access-2',
      refreshToken: 'refresh-2',
    });
    expect((await stat(join(folder, 'sites.json'))).mode & 0o777).toBe(0o600);
  });

  it('refreshes an expired token before the first request', async () => {
    await storeLogin({ expiresAt: new Date(Date.now() - hourMs).toISOString() });
    expect((await run(['whoami'])).exitCode).toBe(0);
    expect(site.calls).toEqual([tokenCall, meCall]);
  });

  it('refreshes once for commands that run at the same time', async () => {
    await storeLogin();
    valid.access = 'revoked elsewhere';
    const results = await Promise.all(Array.from({ length: 5 }, () => run(['whoami'])));
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0]);
    expect(refreshes).toEqual(['refresh-1']);
  });

  it('ends a login whose refresh token the site rejects', async () => {
    await storeLogin({ accessToken: 'old', refreshToken: 'stolen' });
    const ended = `The login at ${site.origin} has ended: run cms login ${site.origin}\n`;
    expect(outcome(await run(['whoami']))).toEqual([1, '', ended]);
    expect((await stored()).sites).toEqual({});
    const missing = `You are not logged in at ${site.origin}: run cms login ${site.origin}\n`;
    expect((await run(['whoami'])).stderr).toBe(missing);
  });

  it('keeps the login when the site fails during a refresh', async () => {
    await storeLogin({ accessToken: 'old' });
    site.on(tokenCall, (_, response) => sendError(response, 503, 'NOT_READY'));
    expect((await run(['whoami'])).exitCode).toBe(1);
    expect((await stored()).sites[site.origin]?.refreshToken).toBe('refresh-1');
  });

  it('uses CMS_TOKEN for the site of CMS_URL, or for --site without one', async () => {
    valid.access = 'personal';
    const token = 'personal';
    const printed = [0, `ann@site.example at ${site.origin}\nId: u1\n`, ''];
    expect(outcome(await run(['whoami'], { siteUrl: site.origin, token }))).toEqual(printed);
    expect(outcome(await run(['whoami', '--site', site.origin], { token }))).toEqual(printed);
    expect(refreshes).toEqual([]);
  });

  it('sends CMS_TOKEN to no other site', async () => {
    await storeLogin();
    const headers: unknown[] = [];
    site.on(meCall, (request, response) => {
      headers.push(request.headers.authorization);
      sendError(response, 500, 'INTERNAL_ERROR');
    });
    await run(['whoami', '--site', site.origin], { siteUrl: 'https://other.example', token: 'personal' });
    expect(headers).toEqual(['Bearer access-1']);
    const { stderr } = await run(['whoami'], { token: 'personal' });
    expect(stderr).toBe('CMS_TOKEN is set without its site: set CMS_URL too\n');
  });

  it('rejects a token that the site rejects, and a redirect, in one line', async () => {
    const rejected = await run(['whoami'], { siteUrl: site.origin, token: 'unknown' });
    expect(outcome(rejected)).toEqual([
      1,
      '',
      `${site.origin} rejects the token (the message of INVALID_TOKEN): run cms login ${site.origin}\n`,
    ]);
    site.on(
      meCall,
      (_, response) => void response.writeHead(301, { location: 'https://evil.example' }).end(),
    );
    const redirected = await run(['whoami'], { siteUrl: site.origin, token: 'personal' });
    expect(redirected.stderr).toBe(
      `${site.origin} redirects to https://evil.example: use the address that the site has\n`,
    );
  });

  it('prints no control characters of the site', async () => {
    site.on(meCall, (_, response) =>
      sendJson(response, { data: { id: 'u', email: '\u001b[2Ja@b.example\n', name: null, role: 1 } }),
    );
    const { stdout } = await run(['whoami'], { siteUrl: site.origin, token: 't' });
    expect(stdout).toBe(` [2Ja@b.example  at ${site.origin}\nId: u\n`);
  });

  it('names a damaged file of logins', async () => {
    await writeFile(join(folder, 'sites.json'), '{"version": 1');
    const { stderr } = await run(['whoami']);
    expect(stderr).toBe(`${join(folder, 'sites.json')} is not valid: delete it and log in again\n`);
  });
});

describe('cms logout', () => {
  it('revokes the refresh token and deletes the login', async () => {
    await storeLogin();
    let revoked: string | null = null;
    site.on(revokeCall, ({ body }, response) => {
      revoked = new URLSearchParams(body).get('token');
      sendJson(response, { data: { revoked: true } });
    });
    expect(outcome(await run(['logout']))).toEqual([0, `Logged out at ${site.origin}\n`, '']);
    expect([revoked, await stored()]).toEqual(['refresh-1', { version: 1, defaultSite: null, sites: {} }]);
    expect((await run(['logout', '--site', site.origin])).stderr).toBe(
      `You are not logged in at ${site.origin}\n`,
    );
  });

  it('deletes the login when the site does not answer, and reports that', async () => {
    await storeLogin();
    site.on(revokeCall, (_, response) => void response.destroy());
    const { exitCode, stdout, stderr } = await run(['logout']);
    expect([exitCode, stdout]).toEqual([0, `Logged out at ${site.origin} on this computer\n`]);
    expect(stderr).toContain('The site did not revoke the tokens');
    expect(await readFile(join(folder, 'sites.json'), 'utf8')).not.toContain('refresh-1');
  });

  it('makes another login the default', async () => {
    await storeLogin({}, 'https://first.example');
    await storeLogin();
    await run(['logout']);
    expect((await stored()).defaultSite).toBe('https://first.example');
  });
});
