import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callTool, createEntry, useSite, type Client, type TestEntry } from '@quire/testing';

const site = useSite();
let admin: Client;
let author: Client;
let entry: TestEntry;

const failure = {
  message: 'content: must be a list',
  code: 'VALIDATION_ERROR',
  legacyId: '7',
  postType: 'post',
  content: '<p>Source</p>',
  excerpt: 'Short',
  meta: { color: 'red' },
  at: '2026-01-02T03:04:05.000Z',
};

beforeAll(async () => {
  [admin, author] = [await site.as('admin'), await site.as('author')];
  await site.collection({
    fields: [
      { slug: 'title', type: 'string', searchable: true },
      { slug: 'body', type: 'text' },
      { slug: 'content', type: 'portableText' },
    ],
  });
});
/** Writes what the import of an entry leaves that it could not save. */
const fail = ({ id }: TestEntry) =>
  site.sql('INSERT INTO import_errors (entry_id, error) VALUES ($1, $2)', [id, JSON.stringify(failure)]);
beforeEach(async () => {
  entry = await createEntry(admin);
  await fail(entry);
});

const shown = async (client: Client, { path }: TestEntry = entry) =>
  (await client.get(path)).data.item.data._importError;
const stored = () => site.sql('SELECT 1 FROM import_errors WHERE entry_id = $1', [entry.id]);

describe('GET /content/{collection}/{id} of a draft that an import could not save', () => {
  it('returns the failure under _importError to those who may edit the entry', async () => {
    expect(await shown(admin)).toEqual(failure);
    expect(await shown(await site.as('editor'))).toEqual(failure);
    const own = await createEntry(author);
    await fail(own);
    expect(await shown(author, own)).toEqual(failure);
  });

  it('returns the entry without it to those who only see drafts', async () => {
    for (const client of [author, await site.as('contributor')])
      expect((await client.get(entry.path)).data.item.data).not.toHaveProperty('_importError');
  });

  it('has no validator, so that no response of another caller is reused', async () => {
    expect((await admin.get(entry.path)).headers.get('etag')).toBeNull();
    await entry.put({ data: { content: [] } });
    expect((await admin.get(entry.path)).headers.get('etag')).not.toBeNull();
  });

  it('does not return it once the entry is published', async () => {
    await entry.publish();
    expect(await shown(admin)).toBeUndefined();
  });

  it('does not return it in lists, translations or searches', async () => {
    for (const path of ['/content/posts?limit=100', `${entry.path}/translations`, '/search?q=Entry'])
      expect(JSON.stringify((await admin.get(path)).data)).not.toContain('_importError');
  });

  it('is the same for the MCP tool content_get', async () => {
    const { data } = await callTool(admin, 'content_get', { collection: 'posts', id: entry.id });
    expect(data).toMatchObject({ item: { data: { _importError: failure } } });
  });
});

describe('PUT /content/{collection}/{id} of a draft that an import could not save', () => {
  it('keeps the failure when it sends neither the content nor _importError', async () => {
    await entry.put({ data: { title: 'Other' } });
    expect(await shown(admin)).toEqual(failure);
  });

  it('keeps it when the save fails', async () => {
    expect((await entry.put({ data: { content: 'no list' } })).status).toBe(400);
    expect(await shown(admin)).toEqual(failure);
  });

  it.each([{ content: [] }, { _importError: null }])('removes it with %j', async (data) => {
    expect((await entry.put({ data })).status).toBe(200);
    expect(await shown(admin)).toBeUndefined();
    expect(await stored()).toEqual([]);
  });
});

describe('deletion of a draft that an import could not save', () => {
  it('for good deletes the failure', async () => {
    await entry.remove();
    expect(await stored()).toHaveLength(1);
    expect((await admin.delete(`${entry.path}/permanent`)).status).toBe(200);
    expect(await stored()).toEqual([]);
  });

  it('with its collection deletes the failure', async () => {
    await site.collection({ slug: 'short_lived' });
    entry = await createEntry(admin, 'short_lived');
    await fail(entry);
    await admin.delete('/schema/collections/short_lived?force=true');
    expect(await stored()).toEqual([]);
  });
});
