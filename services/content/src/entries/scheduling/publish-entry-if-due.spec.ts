import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { openServiceTenant, recordStatements, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { createCollections, importDeps } from '../../import/testing/import-setup.js';
import { contentTables } from '../../migrations/index.js';
import { publishEntryIfDue } from './publish-entry-if-due.js';

const dueAt = '2020-01-02T03:04:05.000Z';
const registry = { readOnlyReasonOf: () => Promise.resolve(undefined) };

let content: ServiceTenant;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-publication', 'content', contentTables, contentEntities);
  await createCollections(content.ctx, importDeps());
});
afterAll(() => content.close());

const idOf = (rank: number) => `01J0000000000000000000000${rank}`;

/** Adds a scheduled post, which gets its first public URL when it is published. */
const schedule = (id: string) =>
  content.ctx.db.query(
    `INSERT INTO content_posts (id, slug, _locale, _translation_group, title, status, scheduled_at)
     VALUES ($1, $1, 'en', $1, 'Post', 'scheduled', $2)`,
    [id, dueAt],
  );

const stateOf = async (id: string) => {
  const [row] = await content.ctx.db.query(
    'SELECT status, version, scheduled_at AS "scheduledAt" FROM content_posts WHERE id = $1',
    [id],
  );
  return row;
};
const published = { status: 'published', version: 2, scheduledAt: null };

/** @returns publication by a worker that has just started, with the statements that it runs */
function startWorker() {
  const { entries: entryDeps } = importDeps();
  return async (id: string) => {
    const db = recordStatements(content.ctx.db);
    const ctx: Context = { ...content.ctx, db };
    const { outcome } = await publishEntryIfDue(
      ctx,
      { entryDeps, registry },
      { collection: 'posts', id, dueAt },
    );
    return { outcome, statements: db.statements };
  };
}

const read = expect.stringMatching(/^SELECT e\.id.* FROM "content_posts" e/);
const publication = [
  read,
  'BEGIN',
  expect.stringMatching(/^WITH changed AS/),
  expect.stringMatching(/pg_advisory_xact_lock_shared/),
  expect.stringMatching(/^DELETE FROM redirects/),
  'COMMIT',
];

describe('publishEntryIfDue', () => {
  it('reads the definition of the collection once, in one statement, and locks no row for a single writer', async () => {
    for (const rank of [1, 2]) await schedule(idOf(rank));
    const publish = startWorker();
    expect(await publish(idOf(1))).toEqual({
      outcome: 'published',
      statements: [expect.stringMatching(/FROM collections c WHERE c\.slug/), ...publication],
    });
    expect(await publish(idOf(2))).toEqual({ outcome: 'published', statements: publication });
    for (const rank of [1, 2]) expect(await stateOf(idOf(rank))).toEqual(published);
  });

  it('reads nothing that only responses show', async () => {
    await schedule(idOf(3));
    const { statements } = await startWorker()(idOf(3));
    expect(statements.filter((text) => /byline_groups|entry_bylines|import_errors/.test(text))).toEqual([]);
  });

  it('reads an entry that is already published once, and does not change it', async () => {
    const publish = startWorker();
    await schedule(idOf(4));
    await publish(idOf(4));
    expect(await publish(idOf(4))).toEqual({ outcome: 'stale', statements: [read] });
    expect(await stateOf(idOf(4))).toEqual(published);
  });

  it('publishes an entry once for workers that begin at the same time', async () => {
    await schedule(idOf(5));
    const results = await Promise.all([1, 2, 3].map(() => startWorker()(idOf(5))));
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['published', 'stale', 'stale']);
    expect(await stateOf(idOf(5))).toEqual(published);
  });
});
