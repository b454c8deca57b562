/** Compares a list of media with the usage of each item, and the same list without. */
import { api, createEntries } from './site.js';
import type { BenchContext } from './context.js';
import type { Operations, Runnable } from './load.js';
import { upload } from './media.js';
import type { FilledSite } from './site.js';

const itemCount = 50;
const smallest = 1024;

/** Media items that entries use, and the index of their usage. */
async function createUsedMedia(site: FilledSite, entryCount: number): Promise<void> {
  const items: { id: string }[] = [];
  for (let index = 0; index < itemCount; index += 1)
    items.push(await upload(site, '/_cms/api/media', smallest));
  const field = { slug: 'attachment', label: 'Attachment', type: 'file' };
  await api(site, 'POST', '/schema/collections', { slug: 'using', label: 'Using' });
  await api(site, 'POST', '/schema/collections/using/fields', field);
  const data = (index: number) => ({ attachment: { provider: 'local', id: items[index % itemCount]?.id } });
  await createEntries(site, 'using', entryCount, { data });
  const repair = '/admin/media-usage/repair';
  const { status } = await api<{ status: string }>(site, 'POST', repair, { scope: 'all' });
  if (status !== 'complete') throw new Error(`The index of media usage is ${status}`);
}

/** Prepares the lists. */
export async function openUsage({ single, load, entryCount }: BenchContext): Promise<Operations> {
  await createUsedMedia(single, entryCount);
  const reading = (path: string): Runnable => ({
    processes: single.processes,
    run: (seconds, connections) => {
      const { origin, headers } = single;
      return load({ label: path, origin, headers, next: () => ({ path }), seconds, connections });
    },
  });
  const list = '/_cms/api/media?limit=50';
  return { 'list media': { plain: reading(list), usage: reading(`${list}&includeUsage=1`) } };
}
