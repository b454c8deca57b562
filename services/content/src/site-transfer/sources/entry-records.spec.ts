import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SiteRecord } from '@quire/site-package';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { stageSiteRecords } from '../site-records.operations.js';
import { readRecords } from '../testing/copies.js';
import { exactJson, publishedValues } from '../testing/full-entries.js';
import { createFullSite } from '../testing/full-site.js';

let content: ServiceTenant;
beforeAll(async () => {
  content = await openServiceTenant('spec-of-entry-records', 'content', contentTables, contentEntities);
  await createFullSite(content.ctx);
  await stage('op');
});
afterAll(() => content.close());

const stage = (operationId: string) => stageSiteRecords(content.ctx, { operationId, comments: true });

async function entry(id: string, operationId = 'op'): Promise<SiteRecord<'entries'>> {
  const found = (await readRecords(content.ctx, operationId, 'entries')).find((record) => record.id === id);
  if (!found) throw new Error(`no entry ${id}`);
  return found;
}

describe('the record of an entry', () => {
  it('has the values of all field types as the API has them, json as its text', async () => {
    const { values } = await entry('e-published');
    expect(values).toEqual(publishedValues);
    expect(values['extra']).toBe(exactJson);
  });

  it('has the state of the entry', async () => {
    const { values: _, createdAt, updatedAt, editedAt, ...state } = await entry('e-published');
    expect(state).toEqual({
      id: 'e-published',
      collection: 'posts',
      slug: 'e-published',
      status: 'published',
      authorId: 'user-1',
      primaryBylineId: 'bg-1',
      publishedAt: '2026-01-02T03:04:05.678Z',
      scheduledAt: null,
      deletedAt: null,
      version: 7,
      liveRevisionId: 'r-dropped',
      draftRevisionId: 'r-draft',
      locale: 'en',
      translationGroup: 'g-e-published',
      seo: { title: 'SEO', description: null, image: 'm1', canonical: null, noIndex: true },
      editedBy: 'user-2',
    });
    const [row] = await content.ctx.db.query(
      `SELECT created_at AS "createdAt", updated_at AS "updatedAt", _edited_at AS "editedAt" FROM content_posts WHERE id = 'e-published'`,
    );
    expect({ createdAt, updatedAt, editedAt }).toEqual(row);
  });

  it('has null for fields without a value, and {} without fields', async () => {
    const { blocks, ...values } = (await entry('e-adopted')).values;
    expect(Object.keys(values).sort()).toEqual(
      Object.keys(publishedValues)
        .filter((slug) => slug !== 'blocks')
        .sort(),
    );
    expect(Object.values(values).every((value) => value === null)).toBe(true);
    expect(blocks).toEqual([]);
    expect((await entry('e-empty')).values).toEqual({});
  });

  it('has false for a boolean, and a list for one id in a field of several', async () => {
    expect((await entry('e-translation')).values).toMatchObject({ isopen: false, friends: ['e-person'] });
    expect((await entry('e-trashed')).values).toMatchObject({ friends: ['[x]'] });
  });

  it('is there for entries of the trash, and names no draft that does not exist', async () => {
    expect((await entry('e-trashed')).deletedAt).toBe('2026-02-03T04:05:06.007Z');
    expect((await entry('e-adopted')).draftRevisionId).toBeNull();
  });

  it('has the values of 300 fields', async () => {
    const columns = Array.from({ length: 299 }, (_, index) => `f${index}`);
    await content.ctx.db.query(
      `ALTER TABLE content_people ${columns.map((name) => `ADD COLUMN ${name} bigint DEFAULT 1`).join(', ')}`,
    );
    await content.ctx.db.query(
      `INSERT INTO fields (id, collection_id, slug, label, type, required, "unique", searchable, indexed, translatable, sort_order)
       SELECT 'f-' || name, (SELECT id FROM collections WHERE slug = 'people'), name, name, 'integer',
         false, false, false, false, true, 9 FROM unnest($1::text[]) name`,
      [columns],
    );
    await stage('wide');
    expect(Object.keys((await entry('e-person', 'wide')).values)).toHaveLength(300);
    await content.ctx.db.query('DELETE FROM fields WHERE slug = ANY($1)', [columns]);
    await content.ctx.db.query(
      `ALTER TABLE content_people ${columns.map((name) => `DROP COLUMN ${name}`).join(', ')}`,
    );
  });
});

describe('the record of a revision', () => {
  it('has the texts of json fields, and other values as they are', async () => {
    const data = new Map(
      (await readRecords(content.ctx, 'op', 'revisions')).map((record) => [record.id, record.data]),
    );
    expect(data.get('r-draft')).toEqual({
      title: 'Draft',
      extra: exactJson,
      _slug: 'new',
      _references: { author: ['g-e-other'] },
    });
    expect(data.get('r-null')).toEqual({ extra: null });
    expect(data.get('r-empty')).toEqual({});
    // `people` has no json field of this name.
    expect(data.get('r-old')).toEqual({ extra: { a: 1 } });
  });
});
