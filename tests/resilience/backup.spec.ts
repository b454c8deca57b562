import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasSqlState, sqlState } from '@quire/database';
import {
  createClient,
  createImage,
  download,
  eventuallyPasses,
  testStores,
  uploadFile,
  type ApiResponse,
  type Client,
  type Site,
} from '@quire/testing';
import pg from 'pg';
import {
  closeEnvironments,
  newDatabase,
  sendUntilAvailable,
  TestEnvironment,
  waitUntil,
  type TestEnvironmentOptions,
} from './support.js';

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

let folder: string;
let here: TestEnvironment;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-backup-spec-'));
  here = await TestEnvironment.open({ arrangement: 'single' });
});
afterAll(async () => {
  await closeEnvironments();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command of `cms` in a process of its own. */
async function cms(on: TestEnvironment, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await on.control<Ended>('/cms', { args, isProcess: true });
  if (code !== 0) throw new Error(`cms ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const created = async (response: Promise<ApiResponse>) => {
  const { data, status, error } = await response;
  if (status >= 300) throw new Error(`${status} ${error.message}`);
  return data.item as { id: string; _rev: string };
};

/** A site with all kinds of data. */
class FilledSite {
  private constructor(
    readonly site: Site,
    readonly admin: Client,
    readonly entryId: string,
    readonly scheduledId: string,
    readonly fileUrl: string,
  ) {}

  static async create(on: TestEnvironment): Promise<FilledSite> {
    const site = await on.openSite();
    const admin = await site.as('admin');
    const fields = [
      { slug: 'title', type: 'string', searchable: true, indexed: true },
      { slug: 'picture', type: 'image' },
    ];
    await sendUntilAvailable(() =>
      admin.post('/schema/collections', { slug: 'posts', label: 'Posts', supports: ['drafts', 'revisions'] }),
    );
    for (const field of fields)
      await sendUntilAvailable(() =>
        admin.post('/schema/collections/posts/fields', { label: field.slug, ...field }),
      );
    await sendUntilAvailable(() => admin.post('/search/enable', { collection: 'posts', enabled: true }));
    const image = await created(uploadFile(admin, { bytes: await createImage(), type: 'image/png' }));
    const data = { title: 'A lighthouse', picture: { id: image.id } };
    const entry = await created(admin.post('/content/posts', { slug: 'one', data }));
    const path = `/content/posts/${entry.id}`;
    await sendUntilAvailable(() => admin.post(`${path}/publish`));
    await sendUntilAvailable(() => admin.put(path, { data: { title: 'A tall lighthouse' } }));
    const later = await created(admin.post('/content/posts', { slug: 'later', data: { title: 'Tomorrow' } }));
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    await sendUntilAvailable(() => admin.post(`/content/posts/${later.id}/schedule`, { scheduledAt }));
    await sendUntilAvailable(() => admin.put('/settings', { title: 'Lights' }));
    await site.as('editor');
    const { data: media } = await admin.get('/media');
    const filled = new FilledSite(site, admin, entry.id, later.id, media.items[0].url as string);
    await waitUntil('the entry is found', async () => (await filled.search(admin)) > 0);
    return filled;
  }

  async search(client: Client): Promise<number> {
    const { status, data } = await client.get('/search?q=lighthouse');
    return status === 200 ? (data.items.length as number) : 0;
  }

  /** What the API responds about all of it. */
  async read(client = this.admin, on = this.site): Promise<unknown> {
    const paths = [
      '/schema/collections/posts?includeFields=true',
      '/content/posts',
      `/content/posts/${this.entryId}`,
      `/content/posts/${this.entryId}/revisions`,
      `/content/posts/${this.scheduledId}`,
      '/media',
      '/settings',
      '/admin/users',
      '/search?q=lighthouse',
    ];
    const responses = [];
    for (const path of paths) {
      const { status, data } = await client.get(path);
      responses.push([path, status, data]);
    }
    const { status, bytes } = await download(on.system, on.host, this.fileUrl);
    return [...responses, [status, bytes.toString('base64')]];
  }
}

describe('the drill: a site is lost and restored', () => {
  let filled: FilledSite;
  let file: string;
  let before: unknown;
  beforeAll(async () => {
    filled = await FilledSite.create(here);
    before = await filled.read();
    expect((before as unknown[]).filter((part) => !JSON.stringify(part).includes('200'))).toEqual([]);
    file = join(folder, 'site.tar.gz');
    await cms(here, 'backup', 'create', '--tenant', filled.site.tenant, '--to', file, '--media');
  });

  it('the backup is private and whole', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await cms(here, 'backup', 'verify', file)).toMatch(/is whole: .* with 1 media file\(s\)/);
  });

  it('every read is the same after the loss of its tables, its work and its files', async () => {
    await lose(filled);
    expect((await filled.admin.get('/content/posts')).status).not.toBe(200);
    await cms(here, 'restore', file, '--yes');
    await eventuallyPasses(
      () => filled.read(),
      (after) => expect(after).toEqual(before),
    );
    expect(await cms(here, 'audit', 'verify', '--tenant', filled.site.tenant)).toContain('holds');
  });

  it('the scheduled entry is published when it is due, and search finds it', async () => {
    const { tenant } = filled.site;
    const path = `/content/posts/${filled.scheduledId}`;
    await here.sql.query(
      `UPDATE ${pg.escapeIdentifier(filled.site.schema)}.content_posts SET scheduled_at = now() WHERE id = $1`,
      [filled.scheduledId],
    );
    // The schedule has another time than its entry now, which is one of the differences that are repaired.
    expect(await cms(here, 'reconcile', '--tenant', tenant)).toContain('schedules at another time: 1');
    await waitUntil(
      'the entry is published',
      async () => (await filled.admin.get(path)).data?.item.status === 'published',
    );
    await waitUntil('the entry is found', async () => {
      const { data } = await filled.admin.get('/search?q=tomorrow');
      return data?.items.length === 1;
    });
  });

  it('a second reconciliation finds nothing', async () => {
    await eventuallyPasses(
      () => cms(here, 'reconcile', '--tenant', filled.site.tenant),
      (output) => expect(output).toBe('Nothing to reconcile\n'),
    );
  });

  it('another installation gets the site under another name, with its tokens and its files', async () => {
    const there = await TestEnvironment.open({ arrangement: 'single' });
    await cms(there, 'restore', file, '--as', 'moved', '--host', 'moved.example');
    const { token } = filled.admin;
    const at = { ...filled.site, system: there.system, host: 'moved.example' };
    const client = createClient(there.system, at, { ...(token !== undefined && { token }) });
    await eventuallyPasses(
      () => filled.read(client, at),
      (after) => expect(after).toEqual(before),
    );
    const created = await sendUntilAvailable(() =>
      client.post('/content/posts', { data: { title: 'A new lighthouse' } }),
    );
    await sendUntilAvailable(() => client.post(`/content/posts/${created.data.item.id}/publish`));
    await waitUntil('the new entry is found', async () => (await filled.search(client)) === 2);
    expect(await rowsThatName(there.sql, 'site_moved', `"${filled.site.tenant}/`)).toEqual([]);
    expect(await rowsThatName(there.sql, 'site_moved', '"moved/')).not.toEqual([]);
    await there.close();
  });
});

describe('a backup during writes', () => {
  it('is of one moment: no table has what another lacks', async () => {
    const site = await here.openSite();
    const admin = await site.as('admin');
    const supports = ['drafts', 'revisions'];
    await sendUntilAvailable(() =>
      admin.post('/schema/collections', { slug: 'posts', label: 'Posts', supports }),
    );
    let isOver = false;
    let written = 0;
    const write = async () => {
      while (!isOver) {
        const { data } = await sendUntilAvailable(() =>
          admin.post('/content/posts', { slug: randomUUID(), data: {} }),
        );
        await sendUntilAvailable(() => admin.post(`/content/posts/${data.item.id}/publish`));
        written += 1;
      }
    };
    const writers = Promise.all([write(), write(), write()]);
    await waitUntil('entries are written', async () => Promise.resolve(written > 10));
    const file = join(folder, 'busy.tar.gz');
    await cms(here, 'backup', 'create', '--tenant', site.tenant, '--to', file);
    const during = written;
    await waitUntil('more entries are written', async () => Promise.resolve(written > during + 3));
    isOver = true;
    await writers;
    await cms(here, 'restore', file, '--as', 'busy', '--host', 'busy.example');
    const { rows } = await here.sql.query<{ entries: number; lost: number; counted: number }>(
      `SELECT count(*)::integer AS entries, count(*) FILTER (WHERE r.id IS NULL AND e.live_revision_id IS NOT NULL)::integer AS lost,
         (SELECT sum(entries)::integer FROM site_busy.entry_counts WHERE name = 'content_posts') AS counted
       FROM site_busy.content_posts e LEFT JOIN site_busy.revisions r
         ON r.id = e.live_revision_id`,
    );
    expect(rows[0]?.entries).toBeGreaterThan(10);
    expect(rows[0]?.entries).toBeLessThan(written);
    expect(rows[0]).toMatchObject({ lost: 0, counted: rows[0]?.entries });
  });
});

describe.each<[string, () => Promise<Partial<TestEnvironmentOptions>>]>([
  ['search on Meilisearch', () => Promise.resolve({ onMeilisearch: true })],
  [
    'a database of its own for media and search',
    async () => {
      const { href } = await newDatabase(testStores().databaseUrl);
      return { settings: { MEDIA_DATABASE_URL: href, SEARCH_DATABASE_URL: href } };
    },
  ],
])('an installation with %s', (_, optionsOf) => {
  let environment: TestEnvironment;
  let filled: FilledSite;
  beforeAll(async () => {
    environment = await TestEnvironment.open({ arrangement: 'single', ...(await optionsOf()) });
    filled = await FilledSite.create(environment);
  });
  afterAll(() => environment.close());

  it('gets back the former state of a site in use', async () => {
    const { admin, site, entryId } = filled;
    const before = await filled.read();
    const file = join(folder, `${site.tenant}.tar.gz`);
    await cms(environment, 'backup', 'create', '--tenant', site.tenant, '--to', file, '--media');
    await sendUntilAvailable(() => admin.put('/settings', { title: 'Other' }));
    await sendUntilAvailable(() => admin.delete(`/content/posts/${entryId}`));
    await waitUntil('it is not found', async () => (await filled.search(admin)) === 0);
    await cms(environment, 'restore', file, '--yes');
    await eventuallyPasses(
      () => filled.read(),
      (after) => expect(after).toEqual(before),
      60_000,
    );
  });
});

/** Loses all of a site but its place in the registry. */
async function lose({ site: { schema, tenant } }: FilledSite): Promise<void> {
  await here.sql.query(`DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE`);
  await here.sql.query('DELETE FROM cms_content.schedules WHERE tenant_id = $1', [tenant]);
  await here.sql.query('DELETE FROM cms_search.search_tasks WHERE tenant_id = $1', [tenant]);
  const { dataDir } = await here.installation();
  await rm(join(dataDir, 'media', tenant), { recursive: true });
}

/** The tables of a schema with rows that contain a text. */
async function rowsThatName(sql: pg.Pool, schema: string, text: string): Promise<string[]> {
  const { rows: tables } = await sql.query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'",
    [schema],
  );
  const found: string[] = [];
  try {
    for (const { name } of tables) {
      const { rows } = await sql.query(`SELECT FROM ${name} t WHERE to_jsonb(t)::text LIKE $1 LIMIT 1`, [
        `%${text}%`,
      ]);
      if (rows.length > 0) found.push(name);
    }
  } catch (error) {
    // The rebuild of a search index has replaced its table since the tables were listed.
    if (hasSqlState(error, sqlState.undefinedTable)) return rowsThatName(sql, schema, text);
    throw error;
  }
  return found;
}
