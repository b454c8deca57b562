import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createImage, eventually, uploadFile, useSite, type Client, type Site } from '@quire/testing';
import { openLine, type BreakingLine } from './breaking-line.js';
import { runCms, type CmsOptions, type CmsResult } from './run-cms.js';
import { filesOfArchive, importsPath, recordsIn } from './support.js';

// The command has no Host header of its own: the names of the sites lead to this computer.
const site = useSite({ forBrowsers: true });
const target = useSite({ forBrowsers: true });
const folder = mkdtempSync(join(tmpdir(), 'quire-command-line-'));
/** The archive of `site`, which the imports take. */
const archive = join(folder, 'site.tar');
/** Of a media file: more than what the line passes before it breaks. */
const imagePixels = { width: 400, height: 400 };
const bytesBeforeBreak = 200_000;
let collectionPath: string;

beforeAll(async () => {
  const admin = await site.as('admin');
  collectionPath = (await site.collection()).path;
  await admin.post(collectionPath, { data: { title: 'Exported' } });
  await uploadFile(admin, {
    bytes: await createImage(imagePixels),
    type: 'image/png',
    filename: 'noise.png',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `cms` with the logins of the file. */
const cms = (args: string[], onOutput?: CmsOptions['onOutput']) =>
  runCms(args, { env: { XDG_CONFIG_HOME: folder }, ...(onOutput && { onOutput }) });

/** A site for commands with a personal token, over a line that breaks where the test says so. */
async function openRemote(at: Site): Promise<{ line: BreakingLine; env: CmsOptions['env'] }> {
  const line = await openLine(at.system.origin);
  const [name] = at.host.split(':');
  const { token } = await at.as('admin');
  return { line, env: { XDG_CONFIG_HOME: folder, CMS_URL: `http://${name}:${line.port}`, CMS_TOKEN: token } };
}

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
const jsonLines = ({ stdout }: CmsResult) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string } & Record<string, unknown>);

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
async function logIn(action: 'approve' | 'deny'): Promise<CmsResult> {
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
  it('logs in, prints the user, renews tokens, and logs out', async () => {
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
  });

  it('reports a denial', async () => {
    const { code, stdout, stderr } = await logIn('deny');
    expect([code, stdout, stderr.split('\n').at(-2)]).toEqual([1, '', 'The login was denied in the browser']);
  });

  it('exports the site into a file whose records are those of the site', async () => {
    await logIn('approve');
    const { code, stderr } = await cms(['site', 'export', archive]);
    expect([code, stderr.includes('rror')]).toEqual([0, false]);
    const files = filesOfArchive(readFileSync(archive));
    expect(files[0]?.path).toBe('manifest.json');
    expect(recordsIn(files, 'entries')).toEqual([
      expect.objectContaining({ values: expect.objectContaining({ title: 'Exported' }) }),
    ]);
    const again = await cms(['site', 'export', archive]);
    expect([again.code, again.stderr.trim().split('\n').length]).toEqual([1, 1]);
  });

  it('continues a download with the next byte after the line broke', async () => {
    const { line, env } = await openRemote(site);
    const file = join(folder, 'broken.tar');
    line.breakNext({
      calls: /\/archive$/,
      times: 1,
      bytes: bytesBeforeBreak,
      before: async () => {
        while ((await stat(`${file}.part`)).size < bytesBeforeBreak) await wait(10);
      },
    });
    const { code } = await runCms(['site', 'export', file], { env });
    const ranges = line.requests.filter(({ call }) => call.endsWith('/archive')).map(({ range }) => range);
    expect([code, ranges]).toEqual([0, [undefined, `bytes=${bytesBeforeBreak}-`]]);
    expect(recordsIn(filesOfArchive(readFileSync(file)), 'entries')).toHaveLength(1);
    await line.close();
  });
});

describe('cms site import', () => {
  let line: BreakingLine;
  let env: CmsOptions['env'];
  let admin: Client;
  let importId: string;
  const importSite = (...args: string[]) => runCms(['site', 'import', archive, ...args], { env });
  const abandon = () => runCms(['site', 'abandon'], { env });
  const mediaUpload = /^PUT .*\/files\/media\//;
  const uploads = () => line.requests.flatMap(({ call }) => /^PUT .*?\/files\/(.*)$/.exec(call)?.[1] ?? []);

  beforeAll(async () => {
    ({ line, env } = await openRemote(target));
    admin = await target.as('admin');
  });
  afterAll(() => line.close());

  it('exits with 130 after Ctrl-C during an upload whose line breaks', async () => {
    let interrupt = () => {};
    line.breakNext({ calls: mediaUpload, times: 100, bytes: bytesBeforeBreak, before: () => interrupt() });
    const { code, stderr } = await runCms(['site', 'import', archive, '--yes'], {
      env,
      onStart: (child) => (interrupt = () => void child.kill('SIGINT')),
    });
    expect([code, lastLine(stderr)]).toEqual([
      130,
      'Interrupted; a started import goes on at the site, and the same command continues',
    ]);
    const { items } = (await admin.get(importsPath)).data as { items: { id: string; state: string }[] };
    expect(items.map(({ state }) => state)).toEqual(['uploading']);
    importId = items[0]?.id ?? '';
  });

  it('then uploads only what the site lacks, repeats a broken upload, and refuses a plan with blockers', async () => {
    // Uploads that the interrupted command had sent are stored without it.
    await line.settle();
    const { items } = (await admin.get(`${importsPath}/${importId}/missing?limit=100`)).data as {
      items: { path: string }[];
    };
    const missing = items.map(({ path }) => path);
    line.requests.length = 0;
    line.breakNext({ calls: mediaUpload, times: 1, bytes: bytesBeforeBreak });
    const menu = { name: 'own', label: 'Own' };
    expect((await admin.post('/menus', menu)).status).toBe(201);
    const result = await importSite('--json', '--yes', '--title', 'target');
    expect([...new Set(uploads())].sort()).toEqual(missing.sort());
    expect(uploads().filter((path) => path.startsWith('media/'))).toHaveLength(2);
    const lines = jsonLines(result);
    expect([result.code, lines[0], lines.at(-1)]).toEqual([
      1,
      { type: 'note', message: `Continuing the import ${importId}` },
      { type: 'error', message: 'The package cannot be imported into this site; nothing was written' },
    ]);
    const planned = lines.find(({ type }) => type === 'plan');
    const blockers = [{ code: 'target_not_empty', kind: 'menus', count: 1 }];
    expect(planned).toMatchObject({ plan: { counts: { entries: 1, media_items: 1 }, blockers } });
    expect((await admin.get(`${importsPath}/${importId}`)).data.operation.state).toBe('planned');
  });

  it('plans again once the site is empty, without earlier options, and writes nothing without --yes', async () => {
    expect((await admin.delete('/menus/own')).status).toBe(200);
    const { code, stdout, stderr } = await importSite();
    expect([code, stdout, lastLine(stderr)]).toEqual([
      1,
      '',
      'Nothing was written: confirm the plan with --yes',
    ]);
    expect(stderr).toContain('  entries: 1\n');
    expect(stderr).toMatch(/^Title: .*, of the package/m);
    expect(stderr).not.toContain('The import cannot run');
  });

  it('imports with --yes, and gives the entries to the mapped user', async () => {
    const whoami = jsonLines(await runCms(['whoami', '--json'], { env }))[0] as { user?: { id: string } };
    const userId = whoami.user?.id ?? '';
    const mapping = `admin@${site.tenant}.example=${userId}`;
    const result = await importSite('--yes', '--json', '--map', mapping);
    const lines = jsonLines(result);
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      importId,
      receipt: { verification: 'verified', counts: { entries: 1, media_items: 1 } },
    });
    const { plan } = lines.find(({ type }) => type === 'plan') as unknown as {
      plan: { decisions: { principalMappings: object } };
    };
    expect(Object.values(plan.decisions.principalMappings)).toEqual([userId]);
    const { items } = (await admin.get(collectionPath)).data as { items: object[] };
    expect(items).toEqual([
      expect.objectContaining({ authorId: userId, data: expect.objectContaining({ title: 'Exported' }) }),
    ]);
  });

  it('does not import into the site again; the refused import is then abandoned', async () => {
    const { code, stderr } = await importSite('--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('target_not_empty (entries, 1): The site has records of its own');
    const ended = await abandon();
    expect([ended.code, ended.stdout]).toEqual([
      0,
      expect.stringMatching(/^Abandoned the import \w+\n$/) as unknown,
    ]);
    const again = await abandon();
    expect([again.code, again.stderr]).toEqual([1, `${env.CMS_URL} has no import to abandon\n`]);
  });

  it('refuses to continue a failed import; abandoning it empties the site and lifts the fence', async () => {
    // As if its last step had failed.
    await target.sql(
      `UPDATE transfer_operations SET state = 'failed', error_code = 'TRANSFER_IMPORT_ERROR',
           cursor = '{"execution": {}}', receipt = NULL WHERE id = $1`,
      [importId],
    );
    await target.setWriteFence(true);
    const refused = await importSite('--yes');
    expect([refused.code, lastLine(refused.stderr)]).toEqual([
      1,
      `The import ${importId} has ended as failed: run cms site abandon, then this command again`,
    ]);
    const { code, stdout } = await abandon();
    expect([code, stdout]).toEqual([0, `Abandoned the import ${importId}\n`]);
    expect((await admin.get('/schema/collections')).data.items).toEqual([]);
    const write = () => admin.post('/menus', { name: 'second', label: 'Second' });
    expect((await eventually(write, ({ status }) => status === 201)).status).toBe(201);
  });
});
