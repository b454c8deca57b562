import { describe, expect, it } from '@jest/globals';
import { createApiClient } from '@quire/api-client';
import { contentField, propertyFields } from './entry-fields.js';
import { bodySize, createEntryRequests } from './entry-requests.js';

const fields = [
  contentField({ slug: 'title', type: 'string', required: true, validation: null }),
  contentField({ slug: 'tags', type: 'reference', required: false, validation: { relation: 'r' } }),
  contentField({ slug: 'many', type: 'reference', required: false, validation: { relation: 's' } }),
  ...propertyFields({ hasSeo: true, taxonomies: ['topic'] }),
];
const byline = { id: 'b', displayName: 'Ann' };
const item = {
  id: 'e',
  slug: 'a-title',
  data: { title: 'Title' },
  authorId: 'u',
  publishedAt: null,
  bylines: [
    { byline, sortOrder: 0, roleLabel: 'Editor' },
    { byline, sortOrder: 1, roleLabel: null, source: 'inferred' },
  ],
  seo: { title: 'SEO', description: null, image: null, canonical: null, noIndex: false },
};
const references = {
  tags: { items: [{ id: 'x' }, { id: 'y' }] },
  many: { items: [{ id: 'z' }], nextCursor: 'c' },
};

/** A client whose requests are noted. */
function open() {
  const sent: {
    method: string;
    url: string;
    key: string | null;
    keepalive: boolean | undefined;
    body: unknown;
  }[] = [];
  const api = createApiClient({
    fetch: (url, { method = '', headers, body, keepalive } = {}) => {
      const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
      sent.push({
        method,
        url: String(url),
        key: new Headers(headers).get('idempotency-key'),
        keepalive,
        body: parsed,
      });
      return Promise.resolve(Response.json({ success: true, data: { item, _rev: 'r2', references } }));
    },
  });
  return { sent, requests: createEntryRequests(api, { collection: 'posts', locale: 'de' }, fields) };
}

const values = new Map<string, unknown>([
  ['title', 'New'],
  ['tags', ['x']],
  ['@slug', 'new'],
  ['@seo.title', 'S'],
  ['@terms.topic', ['t']],
  ['@bylines', []],
]);
const body = {
  data: { title: 'New' },
  references: { tags: ['x'] },
  seo: { title: 'S' },
  taxonomies: { topic: ['t'] },
  slug: 'new',
  bylines: [],
};

describe('the requests of an entry', () => {
  it('read all values but those that the response does not have', async () => {
    const { sent, requests } = open();
    const { rev, values: read } = await requests.read('e');
    expect(rev).toBe('r2');
    expect(Object.fromEntries(read)).toEqual({
      title: 'Title',
      tags: ['x', 'y'],
      '@slug': 'a-title',
      '@authorId': 'u',
      '@publishedAt': null,
      '@bylines': [{ bylineId: 'b', roleLabel: 'Editor' }],
      '@seo.title': 'SEO',
      '@seo.description': null,
      '@seo.image': null,
      '@seo.canonical': null,
      '@seo.noIndex': false,
    });
    expect(sent).toMatchObject([{ method: 'GET', url: '/_cms/api/content/posts/e' }]);
  });

  it('write each value in its part, with the version', async () => {
    const { sent, requests } = open();
    await requests.update('e', values, { rev: 'r1', skipRevision: true, keepalive: true });
    expect(sent).toMatchObject([{ method: 'PUT', keepalive: true }]);
    expect(sent[0]?.body).toEqual({ ...body, _rev: 'r1', skipRevision: true });
  });

  it('create with a key, in the locale', async () => {
    const { sent, requests } = open();
    const created = await requests.create(new Map(), { idempotencyKey: 'k', keepalive: false });
    expect(created.id).toBe('e');
    expect(sent).toMatchObject([{ method: 'POST', key: 'k', body: { data: {}, locale: 'de' } }]);
  });

  it('are measured in bytes', () => {
    expect(bodySize(fields, new Map([['title', 'é']]))).toBe('{"data":{"title":"é"}}'.length + 1);
  });
});
