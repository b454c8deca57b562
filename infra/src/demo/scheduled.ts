import { setTimeout as wait } from 'node:timers/promises';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import type { Api } from './api.js';

const scheduledPosts = 10;
const publishTimeoutMs = 60_000;

interface Created {
  item: { id: string; status: string; publishedAt: string | null; data: { title: string } };
}

/** Creates an entry whose slug no other has. @returns its id; undefined when an earlier run created it */
async function createOnce(
  api: Api,
  collection: string,
  entry: { slug: string; locale: string; data: object; translationOf?: string },
): Promise<string | undefined> {
  const path = `/content/${collection}`;
  const created = await api.callAllowing<Created>('SLUG_CONFLICT', 'POST', path, entry);
  return created?.item.id;
}

/** Creates entries that the worker publishes within seconds. @returns the ids of new ones */
async function createScheduledEntries(api: Api): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 1; index <= scheduledPosts; index += 1) {
    const data = { title: `Live in a moment ${index}` };
    const id = await createOnce(api, 'posts', { slug: `live-in-a-moment-${index}`, locale: 'en', data });
    if (id === undefined) continue;
    const scheduledAt = new Date(Date.now() + 4_000 + index * 1_000).toISOString();
    await api.call('POST', `/content/posts/${id}/schedule`, { scheduledAt });
    ids.push(id);
  }
  return ids;
}

/** Prints the publications of the worker. @throws UserFacingError after a timeout */
export async function watchScheduled(api: Api): Promise<void> {
  const waiting = new Set(await createScheduledEntries(api));
  if (waiting.size === 0) console.log('  there already');
  const end = Date.now() + publishTimeoutMs;
  while (waiting.size > 0 && Date.now() < end) {
    await wait(500);
    for (const id of waiting) {
      const { item } = await api.call<Created>('GET', `/content/posts/${id}`);
      if (item.status !== 'published') continue;
      waiting.delete(id);
      console.log(`  published ${item.data.title} at ${item.publishedAt}`);
    }
  }
  if (waiting.size > 0)
    throw new UserFacingError(`${waiting.size} scheduled entries were not published: does the worker run?`);
}

/** A page in two languages. */
export async function createTranslatedPage(api: Api): Promise<void> {
  const english = { slug: 'about-this-demo', locale: 'en', data: { title: 'About this demo' } };
  const translationOf = await createOnce(api, 'pages', english);
  if (translationOf === undefined) return console.log('  there already');
  const german = { slug: 'ueber-diese-vorfuehrung', locale: 'de', data: { title: 'Über diese Vorführung' } };
  await createOnce(api, 'pages', { ...german, translationOf });
  console.log('  about-this-demo (en), ueber-diese-vorfuehrung (de)');
}
