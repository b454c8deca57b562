import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { DeletionSite } from '../../deletions/testing/index.js';
import { contentTables } from '../../migrations/index.js';
import { createRelation, deleteRelation } from './relations.operations.js';
import { createRelationBody } from './relations.schemas.js';

let content: ServiceTenant;
let site: DeletionSite;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-relation-deletion', 'content', contentTables, contentEntities);
  site = new DeletionSite(content);
});
afterAll(() => content.close());

it('a deleted relation loses its links in steps, and others keep theirs', async () => {
  const { ctx, changes } = site;
  await site.createCollection('notes');
  await site.insertEntries('notes', 'note', 1_500);
  const ends = { parentCollection: 'notes', childCollection: 'notes', parentLabel: 'P', childLabel: 'C' };
  for (const slug of ['deleted', 'kept']) {
    const input = createRelationBody.parse({ ...ends, slug });
    const { relation } = await createRelation(ctx, changes, input);
    await site.query(
      `INSERT INTO reference_links (relation_id, parent_group, child_group, sort_order)
       SELECT $1, _translation_group, 'g-note1', 0 FROM content_notes`,
      [relation.id],
    );
  }
  await deleteRelation(ctx, changes, { id: 'deleted', force: true });
  expect(await site.count('reference_links')).toBe(2_000);
  expect(await site.finish()).toBe(true);
  expect(await site.count('reference_links')).toBe(1_500);
});
