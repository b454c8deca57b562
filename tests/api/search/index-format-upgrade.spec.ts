import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createEntry, statusAndCode } from '@quire/testing';
import { openSearchableSite, waitUntilEqual, type SearchableSite } from './searchable-site.js';

let on: SearchableSite;
beforeAll(async () => {
  on = await openSearchableSite();
});
afterAll(() => on.site.close());

const outcomeOf = async (status: string) => statusAndCode(await on.search('quince', { status }));

it('an index of format 1 serves searches for published entries and is rebuilt automatically', async () => {
  await on.publish({ title: 'Quince' });
  await on.waitUntilFound('quince', ['Quince']);
  await on.site.sql('UPDATE search_generations SET format = 1');
  await createEntry(on.admin, 'posts', { title: 'Quince draft' });
  await on.publish({ title: 'Quince again' });
  await on.waitUntilFound('quince', ['Quince', 'Quince again']);
  expect(await outcomeOf('draft')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await on.suggestions('quince')).toEqual(['Quince', 'Quince again']);
  // The task is due every five minutes otherwise.
  await on.site.sql('UPDATE cms_search.search_tasks SET due_at = now() WHERE tenant_id = $1', [
    on.site.tenant,
  ]);
  await waitUntilEqual(async () => (await outcomeOf('draft'))[0], 200);
  expect(await on.titles('quince', { status: 'draft' })).toEqual(['Quince draft']);
  expect((await on.titles('quince')).sort()).toEqual(['Quince', 'Quince again']);
});
