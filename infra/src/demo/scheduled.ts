import { setTimeout as wait } from 'node:timers/promises';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import type { Api } from './api.js';
import type { Entry, Registry } from './entries.js';

const scheduledPosts = 10;
const publishTimeoutMs = 60_000;

type Created = { item: Entry };

/** Creates entries that the worker publishes within seconds. @returns the ids of new ones */
async function createScheduledEntries(api: Api, registry: Registry): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 1; index <= scheduledPosts; index += 1) {
    const sourceId = `demo#live-${index}`;
    if (registry.has(sourceId)) continue;
    const data = { title: `Live in a moment ${index}`, source_id: sourceId };
    const { item } = await api.call<Created>('POST', '/content/posts', { data });
    const scheduledAt = new Date(Date.now() + 4_000 + index * 1_000).toISOString();
    await api.call('POST', `/content/posts/${item.id}/schedule`, { scheduledAt });
    ids.push(item.id);
  }
  return ids;
}

/** Prints the publications of the worker. @throws UserFacingError after a timeout */
export async function watchScheduled(api: Api, registry: Registry): Promise<void> {
  const waiting = new Set(await createScheduledEntries(api, registry));
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
export async function createTranslatedPage(api: Api, registry: Registry): Promise<void> {
  if (registry.has('demo#about')) return;
  const english = { title: 'About this demo', source_id: 'demo#about' };
  const { item } = await api.call<Created>('POST', '/content/pages', { data: english, locale: 'en' });
  const german = { title: 'Über diese Vorführung', source_id: 'demo#about-de' };
  await api.call('POST', '/content/pages', { data: german, locale: 'de', translationOf: item.id });
}
