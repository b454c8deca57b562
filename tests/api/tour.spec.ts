import { describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite } from '@quire/testing';

const site = useSite();

describe('the tour of the README', () => {
  it('publishes an entry that a subscriber can read', async () => {
    const admin = await site.as('admin');
    const reader = await site.withScopes('subscriber', ['content:read']);

    const collection = await admin.post('/schema/collections', { slug: 'notes', label: 'Notes' });
    expect(collection.status).toBe(201);
    const title = { slug: 'title', label: 'Title', type: 'string', required: true };
    expect((await admin.post('/schema/collections/notes/fields', title)).status).toBe(201);

    const created = await admin.post('/content/notes', { data: { title: 'Hello, world' } });
    expect(created.data.item).toMatchObject({ slug: 'hello-world', status: 'draft' });
    expect(statusAndCode(await reader.get('/content/notes/hello-world'))).toEqual([404, 'NOT_FOUND']);

    const published = await admin.post('/content/notes/hello-world/publish');
    expect(published.data.item.status).toBe('published');
    const read = await reader.get('/content/notes/hello-world');
    expect(read.data.item.data).toEqual({ title: 'Hello, world' });
  });

  it('returns 401 NOT_AUTHENTICATED without a token', async () => {
    expect(statusAndCode(await site.anonymous().get('/content/posts'))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});
