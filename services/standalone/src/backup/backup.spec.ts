import 'reflect-metadata';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';
import { databasesOf } from '../services.js';
import { ArchiveReader } from './archive/archive-reader.js';
import { ArchiveWriter } from './archive/archive-writer.js';
import { manifestName, type BackupManifest } from './backup-manifest.js';
import { backupPath, writeBackupFile } from './backup-file.js';

let test: TestInstallation;
let folder: string;
/** A backup of the site acme. */
let file: string;

const handleOf = async (id: string): Promise<TransactionalDatabase> =>
  (await databasesOf(test.installation, 'content')).tenant({ id, database: null });
const shared = async (service: 'content' | 'media' | 'search' = 'content') =>
  (await databasesOf(test.installation, service)).shared();
const registry = async () => await test.installation.registryTables();
const restore = (values: Record<string, string | boolean | string[]> = {}, path = file) =>
  test.run('restore', values, [path]);
const sectionsOf = async (id: string) =>
  (await (await handleOf(id)).query<{ title: string }>('SELECT title FROM sections ORDER BY title')).map(
    ({ title }) => title,
  );

const addSection = async (title: string) =>
  (await handleOf('acme')).query(
    `INSERT INTO sections (id, slug, title, keywords, content, source) VALUES ($1, $1, $1, '{}', '[]', 'user')`,
    [title],
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-backup-'));
  file = join(folder, 'acme.tar.gz');
  test = await openInstallation('backup');
  await test.run('tenant create', { host: ['acme.example'] }, ['acme']);
  await addSection('Kept');
  await test.run('backup create', { tenant: 'acme', to: file });
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

describe('cms backup create', () => {
  it('writes a private file into a folder, and no other', async () => {
    const to = join(folder, 'made');
    await mkdir(to);
    expect(await test.run('backup create', { tenant: 'acme', to })).toMatch(
      /^acme: .*acme\.tar\.gz, \d+ bytes, \d+ tables, 0 media file\(s\)$/,
    );
    expect(await readdir(to)).toEqual(['acme.tar.gz']);
    expect((await stat(await backupPath(to, 'acme'))).mode & 0o777).toBe(0o600);
  });

  it('leaves an earlier file as it was when it fails, and nothing else', async () => {
    const path = join(folder, 'earlier', 'acme.tar.gz');
    await mkdir(join(folder, 'earlier'));
    await writeBackupFile(path, () => Promise.resolve({}));
    const before = await readFile(path);
    const failed = writeBackupFile(path, async (archive) => {
      await archive.addJson('some.json', {});
      throw new Error('the site is gone');
    });
    await expect(failed).rejects.toThrow('the site is gone');
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(join(folder, 'earlier'))).toEqual(['acme.tar.gz']);
  });

  it('rejects a missing site and a folder that does not exist', async () => {
    await expect(test.run('backup create', { tenant: 'none', to: file })).rejects.toThrow(
      'There is no tenant',
    );
    const nowhere = join(folder, 'nowhere', 'file');
    await expect(test.run('backup create', { tenant: 'acme', to: nowhere })).rejects.toThrow(
      'the file cannot be created (ENOENT)',
    );
  });

  it('--all writes a file for each site, and what belongs to none', async () => {
    const to = join(folder, 'all');
    expect(await test.run('backup create', { all: true, to })).toBe('2 backup(s) written, 0 failed');
    expect((await readdir(to)).sort()).toEqual(['acme.tar.gz', 'default.tar.gz', 'installation.json']);
    const { tenants } = JSON.parse(await readFile(join(to, 'installation.json'), 'utf8')) as {
      tenants: { id: string }[];
    };
    expect(tenants.map(({ id }) => id)).toEqual(['acme', 'default']);
    for (const name of await readdir(to)) expect((await stat(join(to, name))).mode & 0o777).toBe(0o600);
  });

  it('is in the log of operators', async () => {
    const actions = await (
      await registry()
    ).query("SELECT target FROM operator_actions WHERE action = 'backup create' AND target = 'default'");
    expect(actions).toHaveLength(1);
  });
});

describe('cms restore', () => {
  beforeEach(async () => {
    await (await handleOf('acme')).query("DELETE FROM sections WHERE title <> 'Kept'");
  });

  it('replaces an existing site only with --yes, with all its work', async () => {
    await addSection('Later');
    await (
      await shared()
    ).query(
      `INSERT INTO schedules (tenant_id, entry_id, collection, scheduled_at, due_at)
       VALUES ('acme', 'gone', 'posts', now(), now()), ('default', 'other', 'posts', now(), now())`,
    );
    await (
      await shared('search')
    ).query(
      `INSERT INTO search_tasks (tenant_id, collection_id, task, entry_id, due_at)
       VALUES ('acme', 'c', 'index', 'gone', now()), ('default', 'c', 'index', 'other', now())`,
    );
    await expect(restore()).rejects.toThrow('The tenant acme exists: --yes replaces all its data');
    expect(await restore({ 'dry-run': true })).toMatch(
      /it would replace the tenant acme.*Nothing was changed/,
    );
    expect(await sectionsOf('acme')).toEqual(['Kept', 'Later']);
    expect(await restore({ yes: true })).toMatch(
      /^Restored the tenant acme as of 20.* and 0 media file\(s\)$/,
    );
    expect(await sectionsOf('acme')).toEqual(['Kept']);
    const schedules = await (await shared()).query('SELECT tenant_id AS tenant FROM schedules');
    expect(schedules).toEqual([{ tenant: 'default' }]);
    const tasks = await (await shared('search')).query('SELECT tenant_id AS tenant FROM search_tasks');
    expect(tasks).toEqual([{ tenant: 'default' }]);
    const left = await (
      await handleOf('acme')
    ).query("SELECT FROM pg_namespace WHERE nspname LIKE 'former%'");
    expect(left).toEqual([]);
  });

  it('changes nothing when it fails', async () => {
    const broken = join(folder, 'broken.tar.gz');
    await rewrite(file, broken, (name, bytes) =>
      name.startsWith('rows/0/sections/') ? Buffer.from(bytes.toString().replace('\t', '\t\t')) : bytes,
    );
    await expect(restore({ yes: true }, broken)).rejects.toThrow(/sections/);
    expect(await sectionsOf('acme')).toEqual(['Kept']);
    expect(await test.run('reconcile', { tenant: 'acme' })).toBe('Nothing to reconcile');
  });

  it('creates another site with --as, whose triggers and keys of objects are its own', async () => {
    await (
      await handleOf('acme')
    ).query(
      `INSERT INTO media_items (id, filename, mime_type, size, storage_key, object_key, status)
       VALUES ('m', 'a.png', 'image/png', 3, 'k', 'acme/object', 'ready')`,
    );
    const store = await test.installation.objectStore();
    await store.put('acme/object', Readable.from([Buffer.from('abc')]), { contentType: 'image/png' });
    const withMedia = join(folder, 'media.tar.gz');
    await test.run('backup create', { tenant: 'acme', to: withMedia });
    expect(await restore({ as: 'copy', host: ['copy.example'] }, withMedia)).toMatch(
      /^Restored the tenant copy .* and 1 media file\(s\)$/,
    );
    const media = await (await handleOf('copy')).query('SELECT object_key AS key FROM media_items');
    expect(media).toEqual([{ key: 'copy/object' }]);
    expect(await store.stat('copy/object')).toMatchObject({ size: 3 });
    expect(await test.adminService.tenants.hostsOf('copy')).toEqual(['copy.example']);
    expect(await sectionsOf('copy')).toEqual(['Kept']);
    expect(await test.run('reconcile', { tenant: 'copy' })).toBe('Nothing to reconcile');
    expect(await test.run('audit verify', { tenant: 'copy' })).toMatch(/^The audit log holds/);
    await test.adminService.deletions.purge('copy');
    await (await handleOf('acme')).query('DELETE FROM media_items');
  });

  it.each<[string, Record<string, string | boolean | string[]>, string]>([
    ['a host of another site', { as: 'copy', host: ['acme.example'] }, 'Another tenant has the host'],
    ['an id that is none', { as: 'No Id' }, 'The tenant id must be'],
    ['a database that is not configured', { as: 'copy', database: 'EU1' }, 'DATABASE_URL_EU1 is not set'],
    ['another site than expected', { as: 'copy', tenant: 'globex' }, 'is a backup of the tenant acme'],
  ])('rejects %s', async (_, options, message) => {
    await expect(restore(options)).rejects.toThrow(message);
    expect(await test.installation.registry().then((known) => known.byId('copy'))).toBeUndefined();
  });

  it.each<[string, (manifest: BackupManifest) => BackupManifest, string]>([
    ['a newer format', (manifest) => ({ ...manifest, format: 99 }), 'is a backup of a newer version'],
    [
      'tables that a newer version has changed',
      (manifest) => ({ ...manifest, breakingMigrations: [{ service: 'content', name: '9999-new' }] }),
      'The backup is newer than this program, which cannot work with its tables (content/9999-new)',
    ],
    [
      'another arrangement of databases',
      (manifest) => ({ ...manifest, databases: [...manifest.databases, ...manifest.databases] }),
      'share databases otherwise',
    ],
  ])('rejects a backup with %s', async (_, change, message) => {
    const other = join(folder, 'other.tar.gz');
    await rewrite(file, other, (name, bytes) =>
      name === manifestName
        ? Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString()) as BackupManifest)))
        : bytes,
    );
    await expect(restore({ as: 'copy' }, other)).rejects.toThrow(message);
  });

  it('applies migrations that the backup lacks, and keeps additive ones that it has', async () => {
    const older = join(folder, 'older.tar.gz');
    await rewrite(file, older, (name, bytes) => {
      if (name === manifestName)
        return Buffer.from(
          bytes.toString().replace(/(CREATE TABLE import_records [^;]*?)parent_group/, '$1former_group'),
        );
      if (!name.startsWith('rows/0/_migrations/')) return bytes;
      return Buffer.from(
        bytes.toString().replace(/^content\t0060.*\n/m, 'content\t9999-additive\t2020-01-01 00:00:00+00\n'),
      );
    });
    await restore({ yes: true }, older);
    const names = await (
      await handleOf('acme')
    ).query<{ name: string }>(
      "SELECT name FROM _migrations WHERE service = 'content' AND (name LIKE '0060%' OR name LIKE '9999%') ORDER BY 1",
    );
    expect(names.map(({ name }) => name)).toEqual(['0060-import-parents', '9999-additive']);
    await restore({ yes: true });
  });

  it('replaces tables that are left of a site only with --yes', async () => {
    await (await registry()).query("DELETE FROM tenants WHERE id = 'acme'");
    (await test.installation.registry()).drop();
    await expect(restore()).rejects.toThrow('There are tables of a site acme: --yes replaces them');
    await restore({ yes: true });
    expect(await test.adminService.tenants.hostsOf('acme')).toEqual(['acme.example']);
  });
});

describe('cms restore --all', () => {
  let backups: string;
  const lines: string[] = [];
  const restoreAll = async (values: Record<string, string | boolean> = {}) => {
    lines.length = 0;
    const { adminService, installation } = test;
    const print = async (line: string) => void lines.push(line);
    return test.run('restore', { all: true, ...values }, [backups], { adminService, installation, print });
  };
  beforeAll(async () => {
    backups = join(folder, 'every');
    await test.run('tenant create', { host: ['globex.example'] }, ['globex']);
    await test.adminService.createToken({ tenant: 'acme', role: 'admin', scopes: [] });
    await test.run('backup create', { all: true, to: backups });
  });
  const ids = async () => (await test.adminService.tenants.details()).map(({ id }) => id);

  it('restores the sites that are lost, and leaves the others as they are, but for unused ones', async () => {
    for (const id of ['acme', 'globex']) await test.adminService.deletions.purge(id);
    await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
    expect(await restoreAll({ 'dry-run': true })).toBe('2 site(s) would be restored, 1 existed, 0 failed');
    expect(await ids()).toEqual(['default']);
    expect(await restoreAll({ jobs: '2' })).toBe('2 site(s) restored, 1 existed, 0 failed');
    expect(lines.filter((line) => line.startsWith('restored')).sort()).toEqual([
      expect.stringMatching(/^restored {2}acme {2}\S+acme\.tar\.gz, as of 20/),
      expect.stringMatching(/^restored {2}globex {2}\S+globex\.tar\.gz, as of 20/),
    ]);
    expect(await ids()).toEqual(['acme', 'default', 'globex']);
    expect(await sectionsOf('acme')).toContain('Kept');

    // A repeated run restores a site without users again.
    await addSection('Later');
    expect(await restoreAll({ json: true })).toBe('');
    const outcomes = lines.map((line) => JSON.parse(line) as { id: string; outcome: string });
    expect(outcomes.map(({ id, outcome }) => `${id} ${outcome}`).sort()).toEqual([
      'acme existing',
      'default existing',
      'globex restored',
    ]);
    expect(await sectionsOf('acme')).toContain('Later');
    expect(await restoreAll({ yes: true })).toBe('3 site(s) restored, 0 existed, 0 failed');
    expect(await sectionsOf('acme')).not.toContain('Later');
  });

  it('lists what cannot be restored, and restores the rest', async () => {
    await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
    await test.adminService.deletions.purge('globex');
    await writeFile(join(backups, 'broken.tar.gz'), 'no backup');
    await expect(restoreAll()).rejects.toThrow('1 site(s) restored, 2 existed, 1 failed');
    expect(lines.filter((line) => line.startsWith('failed'))).toEqual([
      expect.stringMatching(/^failed {4}\S+broken\.tar\.gz {2}\S/),
    ]);
    expect(await ids()).toContain('globex');
    // Tables that no site of the registry has are those of a lost registry.
    await (await registry()).query("DELETE FROM tenants WHERE id = 'globex'");
    (await test.installation.registry()).drop();
    await expect(restoreAll()).rejects.toThrow('2 failed');
    expect(lines.join('\n')).toContain('There are tables of a site globex: --yes replaces them');
    await rm(join(backups, 'broken.tar.gz'));
  });

  it.each([
    ['options of a single site', { as: 'copy' }, '--all has no --tenant'],
    ['two backups of one site', {}, 'are backups of one site'],
  ])('rejects %s', async (_, values, message) => {
    await copyFile(file, join(backups, 'former.tar.gz'));
    await expect(restoreAll(values)).rejects.toThrow(message);
    await rm(join(backups, 'former.tar.gz'));
  });

  it('rejects a folder without backups, and its own options without a folder', async () => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    await expect(test.run('restore', { all: true }, [empty])).rejects.toThrow('there are no backups');
    await expect(restore({ jobs: '2' })).rejects.toThrow('need --all');
  });
});

/** Copies a backup with other bytes in some entries, and a digest that is right. */
async function rewrite(
  from: string,
  to: string,
  change: (name: string, bytes: Buffer) => Buffer,
): Promise<void> {
  const reader = new ArchiveReader(from);
  const writer = new ArchiveWriter(createWriteStream(to));
  for (let entry = await reader.next(); entry; entry = await reader.next())
    await writer.add(
      entry.name,
      change(entry.name, Buffer.concat(await Readable.from(entry.bytes).toArray())),
    );
  await writer.finish();
  await reader.close();
}
