/** What a list of media costs with the usage of each item in it, beside the same list without. */
import { api, createEntries } from './site.mjs';
import { upload } from './media.mjs';

const itemCount = 50;
const smallest = 1024;

/** A library whose items entries use, and the index of it. */
async function createUsedMedia(site, entryCount) {
  const items = [];
  for (let index = 0; index < itemCount; index += 1)
    items.push(await upload(site, '/_cms/api/media', smallest));
  const field = { slug: 'attachment', label: 'Attachment', type: 'file' };
  await api(site, 'POST', '/schema/collections', { slug: 'using', label: 'Using' });
  await api(site, 'POST', '/schema/collections/using/fields', field);
  const data = (index) => ({ attachment: { provider: 'local', id: items[index % itemCount].id } });
  await createEntries(site, 'using', entryCount, { data });
  const { status } = await api(site, 'POST', '/admin/media-usage/repair', { scope: 'all' });
  if (status !== 'complete') throw new Error(`The index of media usage is ${status}`);
}

/** @returns by operation and variant: the process to watch, and what loads it for some seconds */
export async function openUsage({ single, load, entries }) {
  await createUsedMedia(single, entries);
  const reading = (path) => ({
    pid: single.pid,
    run: (seconds, connections) => {
      const { origin, headers } = single;
      return load({ label: path, origin, headers, next: () => ({ path }), seconds, connections });
    },
  });
  const list = '/_cms/api/media?limit=50';
  return { 'list media': { plain: reading(list), usage: reading(`${list}&includeUsage=1`) } };
}
