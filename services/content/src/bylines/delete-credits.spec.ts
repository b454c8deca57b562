import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../content.module.js';
import { DeletionSite } from '../deletions/testing/index.js';
import { getContent } from '../entries/index.js';
import { contentTables } from '../migrations/index.js';
import { createByline, deleteByline } from './bylines.operations.js';

let content: ServiceTenant;
let site: DeletionSite;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-byline-deletion', 'content', contentTables, contentEntities);
  site = new DeletionSite(content);
});
afterAll(() => content.close());

it('a deleted byline is gone from content at once, and loses its credits in steps', async () => {
  const { ctx, deps } = site;
  const { users } = deps;
  const creation = { locales: deps.locales.of(ctx), users };
  await site.createCollection('essays');
  const [deleted, next] = [
    await createByline(ctx, creation, { slug: 'deleted', displayName: 'Deleted' }),
    await createByline(ctx, creation, { slug: 'next', displayName: 'Next' }),
  ];
  await site.insertEntries('essays', 'essay', 1_200, deleted.translationGroup);
  const credit = (group: string | null, position: number, condition: string) =>
    site.query(
      `INSERT INTO entry_bylines (entry_id, byline_group, collection, sort_order)
       SELECT id, $1, 'essays', $2 FROM content_essays WHERE ${condition}`,
      [group, position],
    );
  await credit(deleted.translationGroup, 0, 'true');
  await credit(next.translationGroup, 1, `id LIKE 'essay9%'`);
  await deleteByline(ctx, deleted.id);
  const read = async (id: string) => {
    const { item } = await getContent(ctx, deps, { collection: 'essays', id });
    return [item.primaryBylineId, item.bylines.map(({ byline }) => byline.slug)];
  };
  const readSome = async () => [await read('essay100'), await read('essay99'), await read('essay88')];
  const expected = [
    [null, []],
    [next.translationGroup, ['next']],
    [null, []],
  ];
  expect(await site.count(`entry_bylines WHERE byline_group = '${deleted.translationGroup}'`)).toBe(700);
  expect(await readSome()).toEqual(expected);
  while (!(await site.takeStep())) expect(await readSome()).toEqual(expected);
  expect(await readSome()).toEqual(expected);
  expect(await site.count(`byline_groups WHERE id = '${deleted.translationGroup}'`)).toBe(0);
  const inconsistent = `content_essays e WHERE e.primary_byline_id IS DISTINCT FROM
    (SELECT byline_group FROM entry_bylines c WHERE c.entry_id = e.id ORDER BY sort_order LIMIT 1)`;
  expect(await site.count(inconsistent)).toBe(0);
});
