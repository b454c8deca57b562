import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, outcome, type Answer, type Client, type Site, type TestRole } from '@quire/testing';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await site.collection();
});
afterAll(() => site.close());

type Call = (client: Client) => Promise<Answer>;

const reads: [string, Call][] = [
  ['listCollections', (client) => client.get('/schema/collections')],
  ['getCollection', (client) => client.get('/schema/collections/posts')],
  ['listFields', (client) => client.get('/schema/collections/posts/fields')],
  ['getField', (client) => client.get('/schema/collections/posts/fields/title')],
  ['the schema export', (client) => client.get('/schema')],
];

// Each is addressed so that a caller who gets in changes nothing: what counts here is the door.
const writes: [string, Call][] = [
  ['createCollection', (client) => client.post('/schema/collections', { slug: 'posts', label: 'Posts' })],
  ['updateCollection', (client) => client.put('/schema/collections/nothing', { label: 'x' })],
  ['deleteCollection', (client) => client.delete('/schema/collections/nothing')],
  ['reorderCollections', (client) => client.post('/schema/collections/reorder', { slugs: ['nothing'] })],
  [
    'createField',
    (client) => client.post('/schema/collections/nothing/fields', { slug: 'a', label: 'A', type: 'string' }),
  ],
  ['updateField', (client) => client.put('/schema/collections/nothing/fields/a', { label: 'x' })],
  ['deleteField', (client) => client.delete('/schema/collections/nothing/fields/a')],
  [
    'reorderFields',
    (client) => client.post('/schema/collections/nothing/fields/reorder', { fieldSlugs: [] }),
  ],
  ['registerOrphanedTable', (client) => client.post('/schema/orphans/nothing')],
];
const orphans: [string, Call] = ['listOrphanedTables', (client) => client.get('/schema/orphans')];

const forbidden = [403, 'FORBIDDEN'];
const outOfScope = [403, 'INSUFFICIENT_SCOPE'];
const letsIn = (answer: Answer) => expect([401, 403]).not.toContain(answer.status);

describe('schema:read', () => {
  it.each(reads)('lets editors and admins use %s', async (_name, call) => {
    for (const role of ['editor', 'admin'] as TestRole[])
      expect((await call(await site.as(role))).status).toBe(200);
  });
  it.each(reads)('keeps subscribers, contributors and authors from %s', async (_name, call) => {
    for (const role of ['subscriber', 'contributor', 'author'] as TestRole[])
      expect(outcome(await call(await site.as(role)))).toEqual(forbidden);
  });
});

describe('schema:manage', () => {
  it.each([...writes, orphans])('lets admins use %s', async (_name, call) => {
    letsIn(await call(await site.as('admin')));
  });
  it.each([...writes, orphans])('keeps everybody below admins from %s', async (_name, call) => {
    for (const role of ['subscriber', 'contributor', 'author', 'editor'] as TestRole[])
      expect(outcome(await call(await site.as(role)))).toEqual(forbidden);
  });
});

describe('a Bearer token', () => {
  it.each([...reads, orphans])('needs schema:read for %s', async (_name, call) => {
    letsIn(await call(await site.withScopes('admin', ['schema:read'])));
    expect(outcome(await call(await site.withScopes('admin', ['schema:write'])))).toEqual(outOfScope);
  });
  it.each(writes)('needs schema:write for %s', async (_name, call) => {
    letsIn(await call(await site.withScopes('admin', ['schema:write'])));
    expect(outcome(await call(await site.withScopes('admin', ['schema:read'])))).toEqual(outOfScope);
  });
  it.each([...reads, ...writes, orphans])(
    'with scopes for content alone cannot use %s',
    async (_name, call) => {
      const client = await site.withScopes('admin', ['content:read', 'content:write', 'settings:manage']);
      expect(outcome(await call(client))).toEqual(outOfScope);
    },
  );
  it('with schema:write has no more rights than its role', async () => {
    const client = await site.withScopes('editor', ['schema:write']);
    for (const [, call] of writes) expect(outcome(await call(client))).toEqual(forbidden);
  });
});

describe('without a credential', () => {
  it.each([...reads, ...writes, orphans])('%s answers 401 NOT_AUTHENTICATED', async (_name, call) => {
    expect(outcome(await call(site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});

describe('another tenant', () => {
  it('may use the same slugs and sees nothing of this one', async () => {
    const other = await openSite();
    const theirs = await other.as('admin');
    const ours = await site.as('admin');
    expect((await theirs.get('/schema/collections')).data.items).toEqual([]);
    for (const path of ['', '/fields', '/fields/title'])
      expect(outcome(await theirs.get(`/schema/collections/posts${path}`))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await theirs.delete('/schema/collections/posts?force=true'))).toEqual([
      404,
      'COLLECTION_NOT_FOUND',
    ]);
    await other.collection({ fields: [{ slug: 'title', type: 'text' }] });
    expect((await theirs.get('/schema/collections/posts/fields')).data.items).toHaveLength(1);
    expect((await ours.get('/schema/collections/posts/fields/title')).data.item.type).toBe('string');
    expect((await theirs.delete('/schema/collections/posts')).status).toBe(200);
    expect((await ours.get('/schema/collections/posts/fields')).data.items).toHaveLength(2);
    await other.close();
  });
  it('does not see the orphaned tables of this one', async () => {
    const other = await openSite();
    await site.sql('CREATE TABLE content_stray (id text PRIMARY KEY)');
    expect((await (await site.as('admin')).get('/schema/orphans')).data.items).toHaveLength(1);
    const theirs = await other.as('admin');
    expect((await theirs.get('/schema/orphans')).data.items).toEqual([]);
    expect(outcome(await theirs.post('/schema/orphans/stray'))).toEqual([404, 'TABLE_NOT_FOUND']);
    await other.close();
  });
});
