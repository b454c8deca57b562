import type { Agent } from './agent.js';
import { collection, searchedWord, type Entry } from './job-site.js';
import { assertEqual, type Job } from './job.js';

const day = 24 * 60 * 60 * 1000;
/** The smallest PNG file. */
const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const uploadImage = async (agent: Agent, filename: string): Promise<string> => {
  const file = { filename, base64: image, contentType: 'image/png', alt: 'A red dot' };
  return (await agent.use<{ item: { id: string } }>('media_upload', file)).item.id;
};

const read = (agent: Agent, id: string) => agent.use<Entry>('content_get', { collection, id });

/** Reads an entry, and passes its `_rev` to a tool that changes it. */
async function change(agent: Agent, tool: string, id: string, args: object = {}): Promise<Entry> {
  const { _rev } = await read(agent, id);
  return agent.use<Entry>(tool, { collection, id, _rev, ...args });
}

async function publish(agent: Agent, { item, _rev }: Entry): Promise<Entry> {
  const published = await agent.use<Entry>('content_publish', { collection, id: item.id, _rev });
  assertEqual(published.item.status, 'published');
  return published;
}

const create = (agent: Agent, data: object, more: object = {}) =>
  agent.use<Entry>('content_create', { collection, data, ...more });

/** Jobs on entries, media and revisions. */
export const contentJobs: readonly Job[] = [
  [
    'write and publish a story',
    async (agent) => {
      await agent.use('schema_get_collection', { slug: collection });
      await publish(agent, await create(agent, { title: 'News', body: '# News\n\nThere is **news**.' }));
    },
  ],
  [
    'correct a published story',
    async (agent, site) => {
      const id = await site.published();
      await publish(agent, await change(agent, 'content_update', id, { data: { title: 'Corrected' } }));
      assertEqual((await read(agent, id)).item.data.title, 'Corrected');
    },
  ],
  [
    'publish a story with an image',
    async (agent) => {
      const id = await uploadImage(agent, 'cover.png');
      await publish(agent, await create(agent, { title: 'With an image', cover: { id } }));
    },
  ],
  [
    'publish a translated story with an image',
    async (agent, site) => {
      const source = await read(agent, await site.published());
      const id = await uploadImage(agent, 'titelbild.png');
      const more = { locale: 'de', translationOf: source.item.id };
      await publish(agent, await create(agent, { title: 'Eine Geschichte', cover: { id } }, more));
      const { translations } = await agent.use<{ translations: unknown[] }>('content_translations', {
        collection,
        id: source.item.id,
      });
      assertEqual(translations.length, 2);
    },
  ],
  [
    'schedule a story',
    async (agent) => {
      const { item, _rev } = await create(agent, { title: 'Tomorrow' });
      const scheduledAt = new Date(Date.now() + day).toISOString();
      const args = { collection, id: item.id, _rev, scheduledAt };
      assertEqual((await agent.use<Entry>('content_schedule', args)).item.status, 'scheduled');
    },
  ],
  [
    'cancel a scheduled publication',
    async (agent, site) => {
      const id = await site.draft();
      const scheduledAt = new Date(Date.now() + day).toISOString();
      await site.rest('POST', `/content/${collection}/${id}/schedule`, { scheduledAt });
      const { items } = await agent.use<{ items: { id: string }[] }>('content_list', {
        collection,
        status: 'scheduled',
      });
      assertEqual(
        items.some((item) => item.id === id),
        true,
      );
      await agent.use('content_unschedule', { collection, id });
    },
  ],
  [
    'compare and discard a staged change',
    async (agent, site) => {
      const id = await site.published();
      await change(agent, 'content_update', id, { data: { title: 'A mistake' } });
      const { hasChanges } = await agent.use<{ hasChanges: boolean }>('content_compare', { collection, id });
      assertEqual(hasChanges, true);
      await change(agent, 'content_discard_draft', id);
    },
  ],
  [
    'restore an earlier revision',
    async (agent, site) => {
      const id = await site.published();
      const { item } = await read(agent, id);
      await publish(agent, await change(agent, 'content_update', id, { data: { title: 'Worse' } }));
      const { items } = await agent.use<{ items: { id: string; data: { title?: string } }[] }>(
        'revision_list',
        { collection, id },
      );
      const earlier = items.find(({ data }) => data.title === item.data.title);
      await agent.use('revision_restore', { revisionId: earlier?.id });
      await change(agent, 'content_publish', id);
      assertEqual((await read(agent, id)).item.data.title, item.data.title);
    },
  ],
  [
    'move a story to the trash and back',
    async (agent, site) => {
      const id = await site.published();
      await agent.use('content_delete', { collection, id });
      await agent.use('content_restore', { collection, id });
      assertEqual((await read(agent, id)).item.status, 'draft');
    },
  ],
  [
    'delete a story permanently',
    async (agent, site) => {
      const id = await site.draft();
      await agent.use('content_delete', { collection, id });
      const { items } = await agent.use<{ items: { id: string }[] }>('content_list_trashed', { collection });
      assertEqual(items[0]?.id, id);
      await agent.use('content_permanent_delete', { collection, id });
    },
  ],
  [
    'find a story and take it offline',
    async (agent) => {
      const { items } = await agent.use<{ items: { id: string }[] }>('search', { query: searchedWord });
      const offline = await change(agent, 'content_unpublish', items[0]?.id ?? '');
      assertEqual(offline.item.status, 'draft');
    },
  ],
  [
    'credit a guest author',
    async (agent) => {
      const byline = { slug: 'ann', displayName: 'Ann Example', isGuest: true };
      const { id } = await agent.use<{ id: string }>('byline_create', byline);
      await publish(
        agent,
        await create(agent, { title: 'By a guest' }, { bylines: [{ bylineId: id, roleLabel: 'Text' }] }),
      );
    },
  ],
  [
    'change the biography of an author',
    async (agent) => {
      await agent.use('byline_create', { slug: 'ben', displayName: 'Ben Example' });
      const { items } = await agent.use<{ items: { id: string }[] }>('byline_list', { search: 'ben' });
      const changed = { id: items[0]?.id, bio: 'Writes about ships.' };
      assertEqual((await agent.use<{ bio: string }>('byline_update', changed)).bio, changed.bio);
    },
  ],
];
