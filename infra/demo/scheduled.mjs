import { setTimeout as wait } from 'node:timers/promises';
import { DemoError } from './api.mjs';

const scheduledPosts = 10;
const publishTimeoutMs = 60_000;

/** Entries that one can watch go live. @returns the ids of those that are new */
async function createScheduledEntries({ call }, registry) {
  const ids = [];
  for (let index = 1; index <= scheduledPosts; index += 1) {
    const sourceId = `demo#live-${index}`;
    if (registry.has(sourceId)) continue;
    const data = { title: `Live in a moment ${index}`, source_id: sourceId };
    const { item } = await call('POST', '/content/posts', { data });
    const scheduledAt = new Date(Date.now() + 4_000 + index * 1_000).toISOString();
    await call('POST', `/content/posts/${item.id}/schedule`, { scheduledAt });
    ids.push(item.id);
  }
  return ids;
}

/** Shows the worker publishing. @throws DemoError when it does not */
export async function watchScheduled({ call }, registry) {
  const waiting = new Set(await createScheduledEntries({ call }, registry));
  if (waiting.size === 0) console.log('  there already');
  const end = Date.now() + publishTimeoutMs;
  while (waiting.size > 0 && Date.now() < end) {
    await wait(500);
    for (const id of waiting) {
      const { item } = await call('GET', `/content/posts/${id}`);
      if (item.status !== 'published') continue;
      waiting.delete(id);
      console.log(`  published ${item.data.title} at ${item.publishedAt}`);
    }
  }
  if (waiting.size > 0)
    throw new DemoError(`${waiting.size} scheduled entries were not published: does the worker run?`);
}

/** A page in two languages. */
export async function createTranslatedPage({ call }, registry) {
  if (registry.has('demo#about')) return;
  const english = { title: 'About this demo', source_id: 'demo#about' };
  const { item } = await call('POST', '/content/pages', { data: english, locale: 'en' });
  const german = { title: 'Über diese Vorführung', source_id: 'demo#about-de' };
  await call('POST', '/content/pages', { data: german, locale: 'de', translationOf: item.id });
}
