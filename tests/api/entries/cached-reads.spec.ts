import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  eventuallyPasses,
  makeOverdue,
  openSite,
  useSite,
  type Client,
  type TestEntry,
} from '@quire/testing';
import { createByline, updateByline } from '../bylines/support.js';
import { createTerm } from '../taxonomies/support.js';

const site = useSite();
let admin: Client;
let reader: Client;
let entry: TestEntry;
let person: TestEntry;
let bylineId: string;

const named = (name: string) => ({ name, title: undefined, body: undefined });
/** Slugs of the tag by which a list is filtered. */
const filterSlug = 'red';

beforeAll(async () => {
  [admin, reader] = [await site.as('admin'), await site.as('subscriber')];
  await site.collection();
  await site.collection({ slug: 'people', titleField: 'name', fields: [{ slug: 'name', type: 'string' }] });
  const field = { slug: 'authors', label: 'Authors', type: 'reference' };
  const validation = { targetCollection: 'people', multiple: true };
  await admin.post('/schema/collections/posts/fields', { ...field, validation });
  await admin.post('/taxonomies', { name: 'tag', label: 'Tags', collections: ['posts'] });
});

beforeEach(async () => {
  person = await createEntry(admin, 'people', named('Ann'));
  await person.publish();
  bylineId = (await createByline(admin)).id;
  entry = await createEntry(admin, 'posts', {}, { bylines: [{ bylineId }] });
  await entry.put({ references: { authors: [person.id] } });
  await entry.publish();
});

let requests = 0;
/** A parameter that changes nothing but the name of the response: it was not requested before. */
const freshList = () => `dateField=createdAt&dateFrom=2000-01-01T00:00:00.${unique()}Z`;
const freshEntry = () => `locale=zz-${unique()}`;
const unique = () => String((requests += 1)).padStart(3, '0');

const termFilter = encodeURIComponent(JSON.stringify({ tag: [filterSlug] }));
/** Paths of responses, each with the same response under a name that is requested once. */
const paths = (): [string, string][] => [
  ['/content/posts?limit=100', `/content/posts?limit=100&${freshList()}`],
  ['/content/posts?orderBy=updatedAt&limit=2', `/content/posts?orderBy=updatedAt&limit=2&${freshList()}`],
  [`/content/posts?bylines=${bylineId}`, `/content/posts?bylines=${bylineId}&${freshList()}`],
  [`/content/posts?termFilters=${termFilter}`, `/content/posts?termFilters=${termFilter}&${freshList()}`],
  [entry.path, `${entry.path}?${freshEntry()}`],
  [person.path, `${person.path}?${freshEntry()}`],
];

/** What a client sees at a path; cursors name the filters of their list. */
async function view(client: Client, path: string): Promise<unknown> {
  const { status, data } = await client.get(path);
  const { nextCursor, ...shown } = data ?? {};
  return { status, ...shown, hasNext: nextCursor !== undefined };
}

/** Reads everything twice, so that the second response is a cached one. */
async function warmUp(): Promise<void> {
  for (const client of [admin, reader])
    for (const [path] of paths()) for (let time = 0; time < 2; time += 1) await client.get(path);
}

async function expectFresh(): Promise<void> {
  for (const client of [admin, reader])
    for (const [path, fresh] of paths())
      expect({ path, ...Object(await view(client, path)) }).toEqual({
        path,
        ...Object(await view(client, fresh)),
      });
}

/** Changes, and what they change for whom: at least one of the responses must differ after them. */
const changes: [string, () => Promise<unknown>][] = [
  ['an entry is created', () => createEntry(admin)],
  ['an entry is staged', () => entry.put({ data: { title: 'Staged' } })],
  ['a draft is saved again', () => autosaveTwice()],
  ['a draft is discarded', async () => [await entry.put({ data: { title: 'x' } }), await entry.discard()]],
  ['a draft is published', async () => [await entry.put({ data: { title: 'New' } }), await entry.publish()]],
  ['an entry is unpublished', () => entry.unpublish()],
  ['an entry is scheduled', async () => [await entry.unpublish(), await entry.schedule()]],
  ['an entry is trashed', () => entry.remove()],
  ['an entry is restored', async () => [await entry.remove(), await entry.restore()]],
  ['an entry is deleted', async () => [await entry.remove(), await admin.delete(`${entry.path}/permanent`)]],
  ['credits are removed', async () => [await entry.put({ bylines: [] }), await entry.publish()]],
  ['a byline is renamed', () => updateByline(admin, bylineId, { displayName: 'Renamed' })],
  ['a byline is deleted', () => admin.delete(`/admin/bylines/${bylineId}`)],
  [
    'a linked entry is renamed',
    async () => [await person.put({ data: { name: 'Bea' } }), await person.publish()],
  ],
  ['a linked entry is trashed', () => person.remove()],
  ['a linked entry is unpublished', () => person.unpublish()],
  [
    'a selection is published',
    async () => [await entry.put({ references: { authors: [] } }), await entry.publish()],
  ],
  ['a term is assigned', () => assignTerm()],
  ['the assigned term is renamed', () => renameTerm()],
  ['the assigned term is deleted', () => deleteTerm()],
  ['a translation is created', () => translate()],
  [
    'a field is added',
    () => admin.post('/schema/collections/posts/fields', { slug: 'a', label: 'a', type: 'text' }),
  ],
  ['a field is deleted', () => admin.delete('/schema/collections/posts/fields/a')],
  [
    'an operator changes a row',
    () => site.sql("UPDATE content_posts SET body = 'by SQL' WHERE id = $1", [entry.id]),
  ],
  [
    'an operator changes a draft',
    async () => {
      await entry.put({ data: { title: 'Staged' } });
      await warmUp();
      await site.sql(`UPDATE revisions SET data = '{"title":"by SQL"}' WHERE entry_id = $1`, [entry.id]);
    },
  ],
  ['an operator deletes links', () => site.sql('DELETE FROM reference_links')],
];

async function autosaveTwice(): Promise<void> {
  await entry.put({ data: { body: 'one' }, skipRevision: true });
  await warmUp();
  await entry.put({ data: { body: 'two' }, skipRevision: true });
}
async function assignTerm(): Promise<string> {
  const term = await createTerm(admin, 'tag', { label: filterSlug });
  await warmUp();
  await admin.post(`${entry.path}/terms/tag`, { termIds: [term.id] });
  return String(term.id);
}
async function renameTerm(): Promise<void> {
  const id = await termOf();
  await admin.post(`${entry.path}/terms/tag`, { termIds: [id] });
  await warmUp();
  await site.sql("UPDATE terms SET slug = 'blue' WHERE id = $1", [id]);
  await expectFresh();
  await warmUp();
  await site.sql("UPDATE terms SET slug = 'red' WHERE id = $1", [id]);
}
async function deleteTerm(): Promise<void> {
  await admin.post(`${entry.path}/terms/tag`, { termIds: [await termOf()] });
  await warmUp();
  await admin.delete(`/taxonomies/tag/terms/${filterSlug}`);
}
async function termOf(): Promise<string> {
  const [term] = await site.sql<{ id: string }>('SELECT id FROM terms WHERE slug = $1', [filterSlug]);
  return term?.id ?? '';
}
const translate = () =>
  admin.post('/content/posts', { data: { title: 'Deutsch' }, locale: 'de', translationOf: entry.id });

describe('a read that was made before', () => {
  it.each(changes)('is never stale when %s', async (_, change) => {
    await warmUp();
    await change();
    await expectFresh();
    await expectFresh();
  });

  it('is never stale when a worker publishes a scheduled entry', async () => {
    const scheduled = await createEntry(admin);
    expect((await reader.get(scheduled.path)).status).toBe(404);
    await scheduled.schedule();
    await makeOverdue(site, scheduled);
    await eventuallyPasses(
      async () => {
        await warmUp();
        return (await reader.get(scheduled.path)).status;
      },
      (status) => expect(status).toBe(200),
    );
    await expectFresh();
  });

  it('is never that of a caller who sees more or less', async () => {
    await entry.put({ data: { title: 'Secret draft' } });
    const draft = await createEntry(admin, 'posts', { title: 'Secret entry' });
    await warmUp();
    await warmUp();
    for (const path of ['/content/posts?limit=100', entry.path]) {
      expect((await reader.get(path)).text).not.toMatch(/Secret|draftRevisionId/);
      expect((await admin.get(path)).text).toMatch(/draftRevisionId/);
    }
    await admin.get(draft.path);
    expect((await reader.get(draft.path)).status).toBe(404);
    expect((await site.anonymous().get(entry.path)).status).toBe(401);
    expect((await (await site.withScopes('admin', ['media:read'])).get(entry.path)).status).toBe(403);
  });

  it('is never that of another site', async () => {
    const other = await openSite();
    try {
      const client = await other.as('admin');
      await other.collection();
      await createEntry(client, 'posts', { title: 'Elsewhere' });
      for (let time = 0; time < 2; time += 1) {
        expect((await client.get('/content/posts?limit=100')).data.items).toHaveLength(1);
        expect((await client.get(entry.path)).status).toBe(404);
        expect((await admin.get('/content/posts?limit=100')).text).not.toContain('Elsewhere');
      }
    } finally {
      await other.close();
    }
  });

  it('is not that of a former collection of the name', async () => {
    const create = async () => {
      await site.collection({ slug: 'notes' });
      const { status } = await admin.get('/content/notes');
      return status;
    };
    await create();
    await createEntry(admin, 'notes', { title: 'Former' });
    for (let time = 0; time < 2; time += 1)
      expect((await admin.get('/content/notes')).data.items).toHaveLength(1);
    await admin.delete('/schema/collections/notes?force=true');
    expect((await admin.get('/content/notes')).status).toBe(404);
    await create();
    for (let time = 0; time < 2; time += 1)
      expect((await admin.get('/content/notes')).data.items).toEqual([]);
    await createEntry(admin, 'notes', { title: 'Present' });
    for (let time = 0; time < 2; time += 1)
      expect((await admin.get('/content/notes')).text).toContain('Present');
  });

  it('is sent as it was, with its headers', async () => {
    const headersOf = ({ headers }: { headers: Headers }) =>
      [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    for (const path of ['/content/posts', entry.path]) {
      const [first, second] = [await admin.get(path), await admin.get(path)];
      expect(second.text).toBe(first.text);
      expect(headersOf(second)).toEqual(headersOf(first));
      expect(second.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });
});
