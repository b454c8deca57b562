import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RecordKind } from '@quire/site-package';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { schemaChanges } from '../../import/testing/test-schema.js';
import { contentTables } from '../../migrations/index.js';
import { stageSiteRecords, writeSiteRecords } from '../site-records.operations.js';
import { readLines } from '../testing/copies.js';
import { createFullSite } from '../testing/full-site.js';
import { sampleEntry as entry } from '../testing/import-records.js';

let target: ServiceTenant;
beforeAll(async () => {
  target = await openServiceTenant('spec-of-record-writers', 'content', contentTables, contentEntities);
  await createFullSite(target.ctx);
});
afterAll(() => target.close());

const query = <Row extends object>(statement: string, values: readonly unknown[] = []) =>
  target.ctx.db.query<Row>(statement, values);
const write = (kind: RecordKind, ...records: string[]) =>
  writeSiteRecords(target.ctx, schemaChanges(), { kind, records, pass: 'records' });

describe('writeSiteRecords', () => {
  it('rejects kinds of other services', async () => {
    for (const kind of ['media_items', 'principals'] as const)
      await expect(write(kind, '{}')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it.each([
    [
      'a text for a number',
      'term_groups',
      { id: 'x', taxonomyId: 't-1', parentId: null, sortOrder: 'first' },
    ],
    [
      'a reference to no record',
      'term_groups',
      { id: 'x', taxonomyId: 'gone', parentId: null, sortOrder: 0 },
    ],
    ['a text of a json field that is no JSON', 'entries', { ...entry, values: { extra: '{' } }],
  ] as const)('rejects %s', async (_, kind, record) => {
    await expect(write(kind, JSON.stringify(record))).rejects.toMatchObject({
      code: 'TRANSFER_RECORD_INVALID',
      details: { kind },
    });
  });

  it('rejects a collection whose table exists', async () => {
    await query('CREATE TABLE content_former (id text)');
    await stageSiteRecords(target.ctx, { operationId: 'op', comments: false });
    const [line = ''] = await readLines(target.ctx, 'op', 'collections');
    const record = JSON.stringify({ ...(JSON.parse(line) as object), id: 'former', slug: 'former' });
    await expect(write('collections', record)).rejects.toMatchObject({ code: 'TRANSFER_RECORD_INVALID' });
    expect(await query(`SELECT 1 FROM collections WHERE slug = 'former'`)).toEqual([]);
    await query('DROP TABLE content_former');
  });

  it('stores lists of ids in the form that fields read, whatever the form of the record', async () => {
    const lists = { spaced: '[ "a" , "b\\u0063" ]', quoted: '["a\\"b"]', empty: '[]', none: 'null' };
    for (const [id, friends] of Object.entries(lists)) {
      const record = JSON.stringify({ ...entry, id, slug: id, translationGroup: id });
      await write('entries', record.replace('"values":{}', `"values":{"friends":${friends}}`));
    }
    const stored = await query(`SELECT id, friends FROM content_posts WHERE id = ANY($1) ORDER BY id`, [
      Object.keys(lists),
    ]);
    expect(stored).toEqual([
      { id: 'empty', friends: '[]' },
      { id: 'none', friends: null },
      // A list of it would have to escape the quotation mark, which exports do not read.
      { id: 'quoted', friends: 'a"b' },
      { id: 'spaced', friends: '["a","bc"]' },
    ]);
  });

  it('replaces settings', async () => {
    const record = { key: 'title', value: 'Imported', updatedAt: '2020-01-01T00:00:00.000Z' };
    await write('settings', JSON.stringify(record));
    expect(await query(`SELECT value, updated_at FROM settings WHERE key = 'title'`)).toEqual([
      { value: 'Imported', updated_at: '2020-01-01T00:00:00.000Z' },
    ]);
  });
});
