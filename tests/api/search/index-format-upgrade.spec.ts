import { expect, it } from '@jest/globals';
import { createEntry, statusAndCode } from '@quire/testing';
import { useSearchableSite, waitUntilEqual } from './support.js';

const searchSite = useSearchableSite();

const outcomeOf = async (status: string) => statusAndCode(await searchSite.search('quince', { status }));

it('an index of format 1 serves searches for published entries and is rebuilt automatically', async () => {
  await searchSite.publish({ title: 'Quince' });
  await searchSite.waitUntilFound('quince', ['Quince']);
  await searchSite.site.sql('UPDATE search_generations SET format = 1');
  await createEntry(searchSite.admin, 'posts', { title: 'Quince draft' });
  await searchSite.publish({ title: 'Quince again' });
  await searchSite.waitUntilFound('quince', ['Quince', 'Quince again']);
  expect(await outcomeOf('draft')).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await searchSite.suggestions('quince')).toEqual(['Quince', 'Quince again']);
  // The update of the program makes the task due; here the format of the index changes instead.
  await searchSite.site.sql('UPDATE cms_search.search_tasks SET due_at = now() WHERE tenant_id = $1', [
    searchSite.site.tenant,
  ]);
  await waitUntilEqual(async () => (await outcomeOf('draft'))[0], 200);
  expect(await searchSite.titles('quince', { status: 'draft' })).toEqual(['Quince draft']);
  expect((await searchSite.titles('quince')).sort()).toEqual(['Quince', 'Quince again']);
});
