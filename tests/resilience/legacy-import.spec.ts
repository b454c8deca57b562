import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { multipartForm, type Client, type Site } from '@quire/testing';
import { closeEnvironments, sendUntilAvailable, TestEnvironment, waitUntil } from './support.js';

const copies = 12;
const kills = 20;
/** Entries of the export, and those of all its copies. */
const entries = { posts: 42 * copies, pages: 18 * copies };

/** A real export with several copies of each entry: enough work to be interrupted often. */
function repeatedExport(): string {
  const file = fileURLToPath(new URL('../fixtures/wxr/ja-classic.xml.gz', import.meta.url));
  const text = gunzipSync(readFileSync(file)).toString();
  const items = text.match(/<item>[^]*?<\/item>/g) ?? [];
  const repeated = items.filter((item) => /<wp:post_type>(?:<!\[CDATA\[)?(?:post|page)\b/.test(item));
  const again = Array.from({ length: copies - 1 }, (_, copy) =>
    repeated.map((item) =>
      item
        .replace(
          /<wp:post_id>(\d+)</,
          (_whole, id: string) => `<wp:post_id>${Number(id) + (copy + 1) * 100_000}<`,
        )
        .replace(/<wp:comment>[^]*?<\/wp:comment>/g, ''),
    ),
  );
  return text.replace('</channel>', `${again.flat().join('\n')}</channel>`);
}

const xml = repeatedExport();
let testEnvironment: TestEnvironment;
let site: Site;
let admin: Client;
let importId: string;

/** Opens a system, and starts an import. */
async function startImport(arrangement: 'no-workers' | 'single'): Promise<void> {
  testEnvironment = await TestEnvironment.open({ arrangement });
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  const postTypes = ['posts', 'pages'].map((collection) => ({ name: collection, collection }));
  await sendUntilAvailable(() => admin.post('/import/legacy/prepare', { postTypes }));
  const mappings = { post: { collection: 'posts' }, page: { collection: 'pages' } };
  const form = multipartForm([
    { name: 'config', value: JSON.stringify({ postTypeMappings: mappings }) },
    { name: 'file', value: xml, filename: 'export.xml', type: 'text/xml' },
  ]);
  const started = await admin.post('/import/legacy/execute', undefined, {
    ...form,
    headers: { ...form.headers, prefer: 'respond-async' },
  });
  expect([started.status, started.error.message]).toEqual([202, '']);
  importId = started.data.importId as string;
}

/** The lease of a killed worker ends: tests do not wait for it. */
const endLease = () =>
  testEnvironment.sql.query('UPDATE cms_transfer.import_steps SET lease_expires_at = now(), due_at = now()');

const readImport = async () => (await admin.get(`/import/legacy/imports/${importId}`)).data;

const awaitEnd = () =>
  waitUntil(
    'the import has ended',
    async () => {
      const found = await readImport();
      return ['complete', 'failed'].includes(found?.state as string) && found;
    },
    120_000,
  );

/** Expects exactly the content of the export, each part once. */
async function expectWhole(): Promise<void> {
  const { state, result } = await awaitEnd();
  expect([state, result.errors]).toEqual(['complete', []]);
  expect([result.byCollection, result.imported, result.failed]).toEqual([entries, 60 * copies, 0]);
  const counts = await site.sql(`
    SELECT (SELECT count(*)::integer FROM content_posts) AS posts, (SELECT count(*)::integer FROM content_pages) AS pages,
      (SELECT count(*)::integer FROM comments) AS comments, (SELECT count(*)::integer FROM menus) AS menus,
      (SELECT count(*)::integer FROM terms) AS terms, (SELECT count(*)::integer FROM bylines) AS bylines,
      (SELECT count(DISTINCT source_id)::integer FROM import_records WHERE kind = 'entry') AS sources`);
  expect(counts).toEqual([
    { ...entries, comments: 44, menus: 6, terms: 131, bylines: 5, sources: 60 * copies },
  ]);
  expect([result.comments.imported, result.menus.created]).toEqual([44, 6]);
  expect(result.byType.post).toMatchObject({ items: entries.posts, imported: entries.posts });
}

afterEach(closeEnvironments);

describe('POST /import/legacy/execute while processes fail', () => {
  it(`imports everything once when its workers are killed at ${kills} moments (spec document 3, rule 4)`, async () => {
    await startImport('no-workers');
    let interrupted = 0;
    let { pid } = await testEnvironment.control<{ pid: number }>('/workers/start');
    for (let round = 0; round < kills; round += 1) {
      await wait(60 + Math.random() * 400);
      if ((await readImport()).state === 'running') interrupted += 1;
      process.kill(pid, 'SIGKILL');
      ({ pid } = await testEnvironment.control<{ pid: number }>('/workers/start'));
      await endLease();
    }
    await expectWhole();
    expect(interrupted).toBeGreaterThan(2);
  });

  it('goes on without the process that received the file', async () => {
    await startImport('single');
    const server = await testEnvironment.server();
    process.kill(server.pid, 'SIGKILL');
    await wait(1_000);
    await testEnvironment.control('/targets/start', server);
    await expectWhole();
  });

  it('pauses while the database is lost, and goes on (spec document 3, Errors)', async () => {
    await startImport('single');
    for (let round = 0; round < 3; round += 1) {
      await wait(150 + Math.random() * 300);
      await testEnvironment.database.disconnect();
      await wait(1_500);
      await testEnvironment.database.restore();
      await waitUntil(
        'the system responds',
        async () => (await admin.get('/import/legacy/imports')).status === 200,
      );
    }
    await expectWhole();
  });
});
