import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { useSite } from '@quire/testing';
import { filesOfArchive, recordsIn } from './support.js';

// The command has no Host header of its own: the name of the site leads to this computer.
const site = useSite({ forBrowsers: true });
const folder = mkdtempSync(join(tmpdir(), 'quire-command-line-'));
const program = fileURLToPath(new URL('../../../libs/cli/dist/bin.js', import.meta.url));
const timeoutMs = 60_000;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `cms` of libs/cli as a process of its own. @param onOutput gets what it has printed so far on stderr */
function cms(args: string[], onOutput: (stderr: string) => void = () => undefined): Promise<Result> {
  const env = { XDG_CONFIG_HOME: folder };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => {
    output.stderr += text.toString();
    onOutput(output.stderr);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

interface Login {
  accessToken: string;
  refreshToken: string;
  expiresAt: string;
}
const storedPath = join(folder, 'quire/sites.json');
const readStored = () => JSON.parse(readFileSync(storedPath, 'utf8')) as { sites: Record<string, Login> };
const loginAt = (origin: string) => readStored().sites[origin]!;

function store(origin: string, login: Login): void {
  const stored = readStored();
  writeFileSync(storedPath, JSON.stringify({ ...stored, sites: { ...stored.sites, [origin]: login } }));
}

/** Logs in, and lets an Admin decide once the command has printed its code. */
async function logIn(action: 'approve' | 'deny'): Promise<Result> {
  const browser = await site.signedIn('admin');
  let decision: Promise<unknown> | undefined;
  const result = await cms(['login', `http://${site.host}`], (stderr) => {
    const code = /enter the code (\S{4}-\S{4})/.exec(stderr)?.[1];
    if (code !== undefined) decision ??= browser.post('/oauth/device/authorize', { user_code: code, action });
  });
  await decision;
  return result;
}

describe('cms of libs/cli', () => {
  it(
    'logs in, prints the user, renews tokens, and logs out',
    async () => {
      const origin = `http://${site.host}`;
      const email = `admin@${site.tenant}.example`;
      const login = await logIn('approve');
      expect([login.code, login.stdout]).toEqual([0, `Logged in at ${origin} as ${email}\n`]);
      expect(login.stderr).toContain(`Open ${origin}/_cms/admin/device in a browser`);

      const whoami = async () => JSON.parse((await cms(['whoami', '--json'])).stdout) as object;
      const expected = {
        type: 'result',
        site: origin,
        user: { email, role: 50 },
        scopes: ['transfer:export'],
      };
      expect(await whoami()).toMatchObject(expected);

      const before = loginAt(origin);
      store(origin, { ...before, expiresAt: new Date(0).toISOString() });
      expect(await whoami()).toMatchObject(expected);
      const renewed = loginAt(origin);
      expect(renewed.accessToken).not.toBe(before.accessToken);
      expect(renewed.refreshToken).not.toBe(before.refreshToken);

      expect(await cms(['logout'])).toEqual({ code: 0, stdout: `Logged out at ${origin}\n`, stderr: '' });
      expect(await site.sql('SELECT id FROM oauth_grants')).toEqual([]);
      const after = await cms(['whoami', '--site', origin]);
      expect([after.code, after.stderr]).toEqual([
        1,
        `You are not logged in at ${origin}: run cms login ${origin}\n`,
      ]);
    },
    timeoutMs,
  );

  it(
    'reports a denial',
    async () => {
      const { code, stdout, stderr } = await logIn('deny');
      expect([code, stdout, stderr.split('\n').at(-2)]).toEqual([
        1,
        '',
        'The login was denied in the browser',
      ]);
    },
    timeoutMs,
  );

  it(
    'exports the site into a file whose records are those of the site',
    async () => {
      const admin = await site.as('admin');
      const { path } = await site.collection();
      await admin.post(path, { data: { title: 'Exported' } });
      await logIn('approve');
      const file = join(folder, 'site.tar');
      const { code, stderr } = await cms(['site', 'export', file]);
      expect([code, stderr.includes('rror')]).toEqual([0, false]);
      const files = filesOfArchive(readFileSync(file));
      expect(files[0]?.path).toBe('manifest.json');
      expect(recordsIn(files, 'entries')).toEqual([
        expect.objectContaining({ values: expect.objectContaining({ title: 'Exported' }) }),
      ]);
      const again = await cms(['site', 'export', file]);
      expect([again.code, again.stderr.trim().split('\n').length]).toEqual([1, 1]);
    },
    timeoutMs,
  );
});
