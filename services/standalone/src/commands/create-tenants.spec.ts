import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminService } from '../admin-service.js';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';
import { createTenants, type CreatedTenant } from '../tenants/create-tenants.js';

let test: TestInstallation;
let folder: string;
beforeAll(async () => {
  test = await openInstallation('create_tenants');
  folder = await mkdtemp(join(tmpdir(), 'quire-create-tenants-'));
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

async function fileOf(...lines: (object | string)[]): Promise<string> {
  const path = join(folder, 'sites.jsonl');
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(path, `${texts.join('\n')}\n`);
  return path;
}
const ids = async () => (await test.adminService.tenants.list()).map(({ id }) => id).sort();
const site = (id: string, hosts = [`${id}.example`]) => ({ id, hosts });
const linesOf = (text: string) => text.split('\n').sort();

/** Runs the command. @returns the lines that it prints for sites */
async function create(lines: (object | string)[], values: Record<string, string | boolean> = {}) {
  const printed: string[] = [];
  const from = await fileOf(...lines);
  const end = await test.run('tenant create', { from, ...values }, [], {
    ...{ adminService: test.adminService, installation: test.installation },
    print: async (line) => void printed.push(line),
  });
  return { printed: printed.sort(), end };
}

describe('cms tenant create --from (operations G3)', () => {
  it('gives sites their settings, limits and plan', async () => {
    const own = { settings: { defaultLocale: 'de' }, limits: { entries: 5 }, plan: 'small' };
    await create([{ ...site('german'), ...own }, site('plain')]);
    const listed = (await test.adminService.tenants.details()).filter(({ id }) => id !== 'default');
    expect(listed).toMatchObject([
      { id: 'german', ...own },
      { id: 'plain', settings: {}, limits: {}, plan: null },
    ]);
    for (const { id } of listed) await test.adminService.deletions.purge(id);
  });

  it.each([
    [{ settings: { theme: 'dark' } }, /sites\.jsonl, line 2: settings: Unrecognized key: "theme"/],
    [{ limits: { entries: 0 } }, /line 2: limits\.entries: /],
    [{ plan: '' }, /line 2: plan: must be letters/],
  ])('creates no site when a line has %j', async (wrong, message) => {
    const before = await ids();
    await expect(create([site('first'), { ...site('second'), ...wrong }])).rejects.toThrow(message);
    expect(await ids()).toEqual(before);
  });

  it('creates a site for each line, with its hosts, and prints the setup links', async () => {
    const { printed, end } = await create([
      site('acme', ['acme.example', 'www.acme.example']),
      '',
      site('globex'),
    ]);
    expect(printed).toEqual([
      expect.stringMatching(/^created {3}acme {2}http:\/\/acme\.example(:\d+)?\/_cms\/admin\/setup\?token=/),
      expect.stringMatching(/^created {3}globex {2}http:\/\/globex\.example/),
    ]);
    expect(end).toMatch(/^2 site\(s\) created, 0 existed, 0 failed\nThe tenant default answers at /);
    expect(linesOf(await test.run('tenant hosts', {}, ['acme']))).toEqual([
      'acme.example',
      'www.acme.example',
    ]);
  });

  it('is repeated after an interruption: it completes what is missing, and changes nothing else', async () => {
    const sql = await test.installation.registryTables();
    // The process ended between the row of the site and its tables.
    await sql.query('DROP SCHEMA site_globex CASCADE');
    const { printed, end } = await create([site('acme'), site('globex'), site('initech')], { jobs: '1' });
    expect(printed).toEqual(
      ['existing  acme', expect.stringMatching(/^created .*initech/), 'existing  globex'].sort(),
    );
    expect(end).toContain('1 site(s) created, 2 existed, 0 failed');
    const rows = await sql.query("SELECT 1 FROM pg_namespace WHERE nspname = 'site_globex'");
    expect(rows).toHaveLength(1);
  });

  it('continues after a site that fails, and exits with an error', async () => {
    const found: CreatedTenant[] = [];
    const lines = [
      { ...site('taken', ['acme.example']), database: null },
      { ...site('acme', ['other.example']), database: null },
      { ...site('sound'), database: null },
    ];
    await createTenants(test.adminService, lines, {
      jobs: 2,
      onTenant: async (each) => void found.push(each),
    });
    expect(found.sort((left, right) => left.id.localeCompare(right.id))).toEqual([
      { id: 'acme', outcome: 'failed', error: expect.stringContaining('without the host other.example') },
      { id: 'sound', outcome: 'created', setupLink: expect.stringContaining('sound.example') },
      { id: 'taken', outcome: 'failed', error: 'Not created: another tenant has that host' },
    ]);
    await expect(create([site('taken', ['acme.example'])])).rejects.toThrow(
      '0 site(s) created, 0 existed, 1 failed',
    );
  });

  it('prints a JSON object for each site with --json', async () => {
    const { printed, end } = await create([site('json')], { json: true });
    expect([printed.map((line) => JSON.parse(line) as CreatedTenant), end]).toEqual([
      [{ id: 'json', outcome: 'created', setupLink: expect.stringContaining('json.example') }],
      '',
    ]);
  });

  it.each([
    ['no JSON', ['{'], 'line 1: Invalid input'],
    ['a line without hosts', [site('one'), { id: 'two' }], 'line 2: hosts '],
    ['an unknown name', [{ ...site('one'), owner: 'x' }], 'line 1: Unrecognized key: "owner"'],
    ['an invalid id', [site('one'), site('Two', ['two.example'])], 'line 2: The tenant id must be'],
    ['an invalid host', [site('one', ['no host'])], 'line 1: Not a host name: no host'],
    ['a site twice', [site('one'), site('one')], 'one is there twice'],
  ])('creates nothing from a file with %s, and names the line', async (_, lines, message) => {
    const before = await ids();
    await expect(create(lines)).rejects.toThrow(message);
    expect(await ids()).toEqual(before);
  });

  it('rejects a file that is absent, and an id beside a file', async () => {
    const absent = { from: join(folder, 'absent') };
    await expect(test.run('tenant create', absent)).rejects.toThrow('the file cannot be read (ENOENT)');
    const wrong: [Record<string, string | string[]>, string[]][] = [
      [{ from: await fileOf(site('x')) }, ['x']],
      [{}, ['x']],
      [{ host: ['x.example'] }, []],
    ];
    for (const [values, positionals] of wrong)
      await expect(test.run('tenant create', values, positionals)).rejects.toThrow(
        'Name a site and its --host, or a file with --from',
      );
  });

  it('creates sites at the same time that need the same roles', async () => {
    const other = new AdminService(test.installation);
    const lines = Array.from({ length: 6 }, (_, index) => ({ ...site(`many-${index}`), database: null }));
    const outcomes: string[] = [];
    await createTenants(other, lines, {
      jobs: 6,
      onTenant: async (each) => void outcomes.push(each.outcome),
    });
    expect(outcomes).toEqual(Array(6).fill('created'));
  });
});
