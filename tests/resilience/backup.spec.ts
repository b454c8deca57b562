import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  download,
  eventuallyPasses,
  uploadFile,
  type ApiResponse,
  type Client,
  type Site,
} from '@quire/testing';
import pg from 'pg';
import { closeEnvironments, sendUntilAvailable, TestEnvironment, waitUntil } from './support.js';

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
    file = join(folder, 'site.tar.gz');
    await cms(here, 'backup', 'create', '--tenant', filled.site.tenant, '--to', file, '--media');
  });

  it('the backup is private and whole', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await cms(here, 'backup', 'verify', file)).toMatch(/is whole: .* with 1 media file\(s\)/);
  });

  it('every read is the same after the loss of its tables, its work and its files', async () => {
    const { schema, tenant } = filled.site;
    await here.sql.query(`DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE`);
    await here.sql.query('DELETE FROM cms_content.schedules WHERE tenant_id = $1', [tenant]);
    const { dataDir } = await here.installation();
    await rm(join(dataDir, 'media', tenant), { recursive: true });
    expect((await filled.admin.get('/content/posts')).status).not.toBe(200);
    await cms(here, 'restore', file, '--yes');
    await eventuallyPasses(
      () => filled.read(),
      (after) => expect(after).toEqual(before),
    );
  });
});
