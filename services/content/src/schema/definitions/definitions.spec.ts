import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { openServiceTenant, recordStatements, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { createCollections, createParentField, importDeps } from '../../import/testing/import-setup.js';
import { contentTables } from '../../migrations/index.js';
import { selectCollection } from '../collections/collections.repository.js';
import { selectFields } from '../fields/fields.repository.js';
import { fieldDefinition } from './collection-definition.js';
import { Definitions } from './definitions.js';

let content: ServiceTenant;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-definitions', 'content', contentTables, contentEntities);
  await createCollections(content.ctx, importDeps());
  await createParentField(content.ctx, importDeps());
});
afterAll(() => content.close());

/** Reads a definition in a process that has just started, so many times at once. */
async function load(slug: string, times = 1) {
  const db = recordStatements(content.ctx.db);
  const ctx: Context = { ...content.ctx, db };
  const definitions = new Definitions();
  const loaded = await Promise.all(Array.from({ length: times }, () => definitions.get(ctx, slug)));
  return { loaded, statements: db.statements };
}

describe('the definition of a collection', () => {
  it('is read in one statement, also for concurrent requests', async () => {
    const { loaded, statements } = await load('notes', 5);
    expect(statements).toHaveLength(1);
    expect(new Set(loaded).size).toBe(1);
  });

  it('has the collection and its fields as they are stored', async () => {
    const {
      loaded: [notes],
    } = await load('notes');
    const { db } = content.ctx;
    const stored = await selectCollection(db, 'notes');
    const fields = await selectFields(db, stored?.id ?? '');
    expect(fields.length).toBeGreaterThan(5);
    expect(notes).toMatchObject({
      id: stored?.id,
      slug: 'notes',
      version: stored?.version,
      fields: fields.map(fieldDefinition),
      references: [],
      hasSubscribers: false,
      isCounted: true,
    });
  });

  it('is read in one snapshot with the relations that its fields view', async () => {
    const { loaded, statements } = await load('posts');
    expect(statements.slice(1, 3)).toEqual(['BEGIN', expect.stringContaining('REPEATABLE READ')]);
    const parent = { field: 'parent', target: 'posts', titleColumn: 'title' };
    expect(loaded).toEqual([expect.objectContaining({ references: [expect.objectContaining(parent)] })]);
    expect(loaded[0]).toMatchObject({ isCounted: true });
  });

  it('tells whether services subscribe to changes, and whether its table is counted', async () => {
    const { db } = content.ctx;
    await db.query(
      `INSERT INTO change_subscriptions (subscriber, collection_id) SELECT 'search', id FROM collections WHERE slug = 'notes'`,
    );
    await db.query('DROP TRIGGER count_changes ON content_notes');
    expect((await load('notes')).loaded).toEqual([
      expect.objectContaining({ hasSubscribers: true, isCounted: false }),
    ]);
  });

  it('does not exist for an unknown collection', async () => {
    await expect(load('unknown')).rejects.toMatchObject({ code: 'COLLECTION_NOT_FOUND' });
  });
});
