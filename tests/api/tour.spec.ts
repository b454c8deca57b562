import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, type Site } from '@quire/testing';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

describe('the tour of the README', () => {
  it('leads from a token to a published entry that a subscriber can read', async () => {
    const admin = await site.as('admin');
    const reader = await site.withScopes('subscriber', ['content:read']);

    const collection = await admin.post('/schema/collections', { slug: 'notes', label: 'Notes' });
    expect(collection.status).toBe(201);
    const title = { slug: 'title', label: 'Title', type: 'string', required: true };
    expect((await admin.post('/schema/collections/notes/fields', title)).status).toBe(201);

    const made = await admin.post('/content/notes', { data: { title: 'Hello, world' } });
    expect(made.data.item).toMatchObject({ slug: 'hello-world', status: 'draft' });
    const hidden = await reader.get('/content/notes/hello-world');
    expect([hidden.status, hidden.error.code]).toEqual([404, 'NOT_FOUND']);

    const published = await admin.post('/content/notes/hello-world/publish');
    expect(published.data.item.status).toBe('published');
    const seen = await reader.get('/content/notes/hello-world');
    expect(seen.data.item.data).toEqual({ title: 'Hello, world' });
  });

  it('does not begin without a token: 401 NOT_AUTHENTICATED', async () => {
    const answer = await site.anonymous().get('/content/posts');
    expect([answer.status, answer.error.code]).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});
