import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { literal, type Queryable, type Transaction } from '@quire/database';
import { recordDefinitions, recordKinds, keyOf, type RecordKind } from '@quire/site-package';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../content.module.js';
import { contentTables } from '../migrations/index.js';
import { createField, createFieldBody } from '../schema/index.js';
import { schemaChanges } from '../import/testing/test-schema.js';
import { discardSiteRecords, readSiteRecords, stageSiteRecords } from './site-records.operations.js';
import { readLines, readRecords } from './testing/copies.js';
import { insertEntry } from './testing/full-entries.js';
import { createFullSite } from './testing/full-site.js';

/** Kinds of other services, and of the transfer service. */
const foreignKinds: readonly RecordKind[] = [
  'principals',
  'search_collections',
  'media_folders',
  'media_items',
];
const ownKinds = recordKinds.filter((kind) => !foreignKinds.includes(kind));

let content: ServiceTenant;
beforeAll(async () => {
  content = await openServiceTenant('spec-of-site-records', 'content', contentTables, contentEntities);
  await createFullSite(content.ctx);
  await stage('op');
});
afterAll(() => content.close());

const stage = (operationId: string, ctx: Context = content.ctx, comments = true) =>
  stageSiteRecords(ctx, { operationId, comments });
const linesOf = (operationId: string, kind: RecordKind, maxRecords?: number) =>
  readLines(content.ctx, operationId, kind, maxRecords);
const recordsOf = <Kind extends RecordKind>(kind: Kind, operationId = 'op') =>
  readRecords(content.ctx, operationId, kind);
const allLines = (operationId: string) => Promise.all(recordKinds.map((kind) => linesOf(operationId, kind)));

type Call = Parameters<Queryable['query']>;

/** The context of a call in which `action` runs before a statement of its transaction. */
function interrupted(isBefore: (call: Call) => boolean, action: () => Promise<unknown>): Context {
  const { db } = content.ctx;
  const intercept = (tx: Transaction): Transaction => ({
    ...tx,
    query: async <Row extends object>(...call: Call) => {
      if (isBefore(call)) await action();
      return tx.query<Row>(...call);
    },
  });
  return {
    ...content.ctx,
    db: { ...db, transaction: (work) => db.transaction((tx) => work(intercept(tx))) },
  };
}

describe('stageSiteRecords', () => {
  it.each(ownKinds)('copies the %s of a site, each valid, in the byte order of their keys', async (kind) => {
    const records = await recordsOf(kind);
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) expect(recordDefinitions[kind].schema.parse(record)).toEqual(record);
    const keys = records.map((record) => Buffer.from(keyOf(kind, record)));
    expect(keys).toEqual([...keys].sort((left, right) => left.compare(right)));
  });

  it('returns the number of records of each kind', async () => {
    const { counts } = await stage('counted');
    const lines = await Promise.all(ownKinds.map((kind) => linesOf('op', kind)));
    const expected = ownKinds.map((kind, index) => [kind, lines[index]?.length]);
    expect(counts).toEqual(Object.fromEntries(expected));
  });

  it('copies the same bytes of the same state', async () => {
    await stage('repeated');
    await stage('repeated');
    expect(await allLines('repeated')).toEqual(await allLines('op'));
  });

  it('names the users of the records', async () => {
    expect((await recordsOf('principals')).map(({ id }) => id)).toEqual([
      'user-1',
      'user-2',
      'user-3',
      'user-4',
    ]);
  });

  it('copies no comments unless they are wanted', async () => {
    const { counts } = await stage('without-comments', content.ctx, false);
    expect(counts).not.toHaveProperty('comments');
    expect(await linesOf('without-comments', 'comments')).toEqual([]);
    expect((await recordsOf('principals', 'without-comments')).map(({ id }) => id)).not.toContain('user-4');
  });

  it('copies no settings that the API does not show, and no technical properties of visitors', async () => {
    expect((await recordsOf('settings')).map(({ key }) => key)).toEqual(['seo.defaultOgImage', 'title']);
    expect((await linesOf('op', 'comments')).join()).not.toMatch(/hash|Agent/);
  });
});

describe('rows of entries that do not exist', () => {
  const lost: Readonly<Record<string, string>> = {
    revisions: `(id, collection, entry_id, data) VALUES ('lost', 'posts', 'lost', '{}')`,
    entry_bylines: `(entry_id, byline_group, collection, sort_order) VALUES ('lost', 'bg-1', 'posts', 0)`,
    entry_terms: `(entry_group, term_group, collection) VALUES ('lost', 'tg-leaf', 'posts')`,
    reference_links: `(relation_id, parent_group, child_group, sort_order)
      SELECT id, 'g-e-published', 'lost', 0 FROM relations UNION ALL SELECT id, 'lost', 'g-e-person', 0 FROM relations`,
    comments: `(id, collection, content_id, author_name, author_email, body, status)
      VALUES ('lost', 'posts', 'lost', 'A', 'a@a.example', 'x', 'approved')`,
  };
  beforeAll(async () => {
    for (const [table, rows] of Object.entries(lost))
      await content.ctx.db.query(`INSERT INTO ${table} ${rows}`);
    await stage('with-lost-rows');
  });
  afterAll(async () => {
    for (const table of Object.keys(lost))
      await content.ctx.db.query(
        `DELETE FROM ${table} t WHERE 'lost' IN (SELECT value FROM json_each_text(row_to_json(t)))`,
      );
  });

  it.each(Object.keys(lost) as RecordKind[])('are not among the %s', async (kind) => {
    expect(await linesOf('with-lost-rows', kind)).toEqual(await linesOf('op', kind));
  });
});

describe('rows of deleted objects whose deletion is not finished', () => {
  const rows: Readonly<Record<string, string>> = {
    byline_groups: `(id, custom_fields) VALUES ('bg-lost', '{}')`,
    entry_bylines: `(entry_id, byline_group, collection, sort_order) VALUES ('e-published', 'bg-lost', 'posts', 9)`,
    reference_links: `(relation_id, parent_group, child_group, sort_order)
      VALUES ('lost', 'g-e-published', 'g-e-person', 0)`,
    deletions: `(kind, id, collection, field) VALUES ('field', 'posts.lost', 'posts', 'lost')`,
  };
  const field = (data: string) =>
    content.ctx.db.query(`UPDATE revisions SET data = ${data} WHERE id = 'r-draft'`);
  let draft: string;
  beforeAll(async () => {
    const { db } = content.ctx;
    for (const [table, values] of Object.entries(rows)) await db.query(`INSERT INTO ${table} ${values}`);
    const [stored] = await db.query<{ text: string }>(
      `SELECT data::text AS text FROM revisions WHERE id = 'r-draft'`,
    );
    draft = stored?.text ?? '';
    await field(literal(draft.replace('{', '{"lost": 1,').replace('"author"', '"lost": ["x"], "author"')));
    await db.query(`UPDATE content_posts SET primary_byline_id = 'bg-lost' WHERE id = 'e-published'`);
    await stage('with-deleted-rows');
  });
  afterAll(async () => {
    const { db } = content.ctx;
    await db.query(`UPDATE content_posts SET primary_byline_id = 'bg-1' WHERE id = 'e-published'`);
    await field(literal(draft));
    for (const table of Object.keys(rows).reverse())
      await db.query(
        `DELETE FROM ${table} t WHERE 'lost' IN (SELECT value FROM json_each_text(row_to_json(t)))
           OR 'bg-lost' IN (SELECT value FROM json_each_text(row_to_json(t)))`,
      );
  });

  it.each(['byline_groups', 'entry_bylines', 'reference_links', 'revisions', 'entries'] as RecordKind[])(
    'are not among the %s',
    async (kind) => {
      const parsed = async (operationId: string) =>
        (await linesOf(operationId, kind)).map((line): unknown => JSON.parse(line));
      expect(await parsed('with-deleted-rows')).toEqual(await parsed('op'));
    },
  );
});

describe('writes while a site is copied', () => {
  it('are not seen', async () => {
    const { db } = content.ctx;
    const write = async () => {
      await insertEntry(db, 'posts', 'e-later');
      await db.query(
        `INSERT INTO revisions (id, collection, entry_id, data) VALUES ('r-later', 'posts', 'e-later', '{}')`,
      );
      await db.query(`UPDATE comments SET body = 'later' WHERE id = 'c-root'`);
    };
    await stage(
      'during-writes',
      interrupted(([, values]) => values?.[1] === 'revisions', write),
    );
    expect(await allLines('during-writes')).toEqual(await allLines('op'));
    await stage('after-writes');
    expect((await linesOf('after-writes', 'revisions')).join()).toContain('r-later');
    await db.query(`UPDATE comments SET body = E'Hello\\n' WHERE id = 'c-root'`);
    await db.query(`DELETE FROM content_posts WHERE id = 'e-later'`);
    await db.query(`DELETE FROM revisions WHERE id = 'r-later'`);
  });

  it('of the schema make a repetition necessary when they precede the copies', async () => {
    const field = createFieldBody.parse({ slug: 'later', label: 'Later', type: 'string' });
    const change = () => createField(content.ctx, schemaChanges(), { collection: 'empty', field });
    const staged = stage(
      'schema',
      interrupted(([statement]) => String(statement).endsWith('FOR SHARE'), change),
    );
    await expect(staged).rejects.toMatchObject({ code: 'TRANSFER_EXPORT_CONCURRENT_WRITES' });
    expect(await linesOf('schema', 'collections')).toEqual([]);
    await stage('schema');
    const empty = (await recordsOf('entries', 'schema')).find(({ id }) => id === 'e-empty');
    expect(empty?.values).toEqual({ later: null });
  });

  it('of the schema wait until the copies exist', async () => {
    const lock = () => content.ctx.db.query('SELECT FROM collections FOR UPDATE NOWAIT');
    const staged = stage(
      'locked',
      interrupted(([, values]) => values?.[1] === 'redirects', lock),
    );
    await expect(staged).rejects.toMatchObject({ code: '55P03' });
  });
});

describe('a site without collections', () => {
  it('has no entries', async () => {
    const other = await openServiceTenant('spec-of-empty-site', 'content', contentTables, contentEntities);
    try {
      expect(await stage('op', other.ctx)).toEqual({ counts: {} });
    } finally {
      await other.close();
    }
  });
});

describe('readSiteRecords', () => {
  it('returns all records once in small pages', async () => {
    for (const kind of ownKinds) expect(await linesOf('op', kind, 2)).toEqual(await linesOf('op', kind));
  });

  it('ends a page with the record that reaches the size', async () => {
    const [first = '', second = ''] = await linesOf('op', 'entries');
    const request = { operationId: 'op', kind: 'entries', after: 0, maxRecords: 100 } as const;
    const maxBytes = Buffer.byteLength(first);
    expect((await readSiteRecords(content.ctx, { ...request, maxBytes })).lines).toEqual([first]);
    expect(await readSiteRecords(content.ctx, { ...request, maxBytes: maxBytes + 1 })).toEqual({
      lines: [first, second],
      last: 2,
    });
  });
});

describe('discardSiteRecords', () => {
  it('deletes the copies of the operation', async () => {
    await stage('discarded');
    const request = { operationId: 'discarded', keepsFiles: false };
    expect(await discardSiteRecords(content.ctx, request)).toEqual({});
    expect((await allLines('discarded')).flat()).toEqual([]);
    expect((await allLines('op')).flat()).not.toEqual([]);
  });
});
