import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEntry, eventually, makeOverdue, useSite, type Client, type TestEntry } from '@quire/testing';

const site = useSite();
let admin: Client;
let count = 0;
/** Slug of a new collection for each test. */
let posts: string;

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(async () => {
  count += 1;
  posts = `posts_${count}`;
  await site.collection({ slug: posts });
});

/** Creates a published entry with this slug. */
async function createLive(slug: string, more: object = {}, collection = posts): Promise<TestEntry> {
  const entry = await createEntry(admin, collection, {}, { slug, ...more });
  expect((await entry.publish()).status).toBe(200);
  return entry;
}
async function rename(entry: TestEntry, slug: string): Promise<void> {
  await entry.put({ slug });
  expect((await entry.publish()).status).toBe(200);
}
/** The rules of the test's collection: source, destination. */
async function rules(): Promise<[string, string][]> {
  const { items } = (await admin.get('/redirects?limit=100')).data as {
    items: { source: string; destination: string }[];
  };
  return items
    .filter(({ source }) => source.includes(posts))
    .map(({ source, destination }): [string, string] => [source, destination])
    .sort();
}
const path = (slug: string) => `/${posts}/${slug}`;

describe('automatic redirects for a changed slug (contract 7)', () => {
  it('lead from the old to the new address with 301', async () => {
    await rename(await createLive('old'), 'new');
    const { items } = (await admin.get(`/redirects?search=${posts}`)).data;
    expect(items).toEqual([
      expect.objectContaining({
        source: path('old'),
        destination: path('new'),
        type: 301,
        enabled: true,
        auto: true,
        groupName: 'Auto: slug change',
      }),
    ]);
    const response = await admin.get(`/redirects/resolve?path=${path('old')}`);
    expect(response.data.redirect).toMatchObject({ destination: path('new'), type: 301 });
  });

  it('are created only when the change is published', async () => {
    const entry = await createLive('old');
    await entry.put({ slug: 'new' });
    expect(await rules()).toEqual([]);
    await entry.discard();
    await entry.publish();
    expect(await rules()).toEqual([]);
  });

  it('are created on a collection without drafts too', async () => {
    posts = `plain_${count}`;
    await site.collection({ slug: posts, supports: [] });
    const entry = await createLive('old');
    expect((await entry.put({ slug: 'new' })).status).toBe(200);
    expect(await rules()).toEqual([[path('old'), path('new')]]);
  });

  it('lead from every former address directly to the current one', async () => {
    const entry = await createLive('a');
    await rename(entry, 'b');
    await rename(entry, 'c');
    expect(await rules()).toEqual([
      [path('a'), path('c')],
      [path('b'), path('c')],
    ]);
  });

  it('do not loop when the entry gets its old slug back', async () => {
    const entry = await createLive('a');
    await rename(entry, 'b');
    await rename(entry, 'a');
    expect(await rules()).toEqual([[path('b'), path('a')]]);
  });

  it('are deleted when another entry takes the address', async () => {
    await rename(await createLive('a'), 'b');
    const other = await createLive('x');
    await rename(other, 'a');
    expect(await rules()).toEqual([[path('x'), path('a')]]);
  });

  it('are not created while another published entry has the old slug', async () => {
    const entry = await createLive('shared');
    await createLive('shared', { locale: 'de' });
    await rename(entry, 'own');
    expect(await rules()).toEqual([]);
  });

  it('do not replace manual rules', async () => {
    const own = { source: path('a'), destination: '/elsewhere', type: 302 };
    await admin.post('/redirects', own);
    await rename(await createLive('a'), 'b');
    const { items } = (await admin.get(`/redirects?search=${posts}`)).data;
    expect(items).toEqual([expect.objectContaining({ ...own, auto: false })]);
  });

  it('are not created when they would close a loop with a manual rule', async () => {
    await admin.post('/redirects', { source: path('b'), destination: path('a'), type: 302 });
    await rename(await createLive('a'), 'b');
    expect(await rules()).toEqual([[path('b'), path('a')]]);
  });

  it('drop the rule of a former address that would close a loop', async () => {
    const entry = await createLive('x');
    await rename(entry, 'a');
    await rename(entry, 'b');
    await admin.post('/redirects', { source: path('c'), destination: path('a'), type: 302 });
    await rename(entry, 'c');
    expect(await rules()).toEqual([
      [path('b'), path('c')],
      [path('c'), path('a')],
      [path('x'), path('c')],
    ]);
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('drop it also when a manual rule exists for the old address', async () => {
    const entry = await createLive('a');
    await rename(entry, 'b');
    await admin.post('/redirects', { source: path('b'), destination: '/elsewhere' });
    await admin.post('/redirects', { source: path('c'), destination: path('a') });
    await rename(entry, 'c');
    expect(await rules()).toEqual([
      [path('b'), '/elsewhere'],
      [path('c'), path('a')],
    ]);
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('drop it also when the loop runs through many manual rules', async () => {
    const entry = await createLive('a');
    await rename(entry, 'b');
    const step = (index: number) => path(`step-${index}`);
    await admin.post('/redirects', { source: path('c'), destination: step(0) });
    for (let index = 0; index < 25; index += 1)
      await admin.post('/redirects', { source: step(index), destination: step(index + 1) });
    await admin.post('/redirects', { source: step(25), destination: path('a') });
    await rename(entry, 'c');
    const created = await rules();
    expect(created).toContainEqual([path('b'), path('c')]);
    expect(created.filter(([source]) => source === path('a'))).toEqual([]);
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('escape brackets in the URL pattern', async () => {
    await admin.put(`/schema/collections/${posts}`, { urlPattern: `/[x]/${posts}/{slug}` });
    await rename(await createLive('a'), 'b');
    expect(await rules()).toEqual([[`/%5Bx%5D/${posts}/a`, `/%5Bx%5D/${posts}/b`]]);
  });

  it('use the URL pattern of the collection', async () => {
    await admin.put(`/schema/collections/${posts}`, { urlPattern: `/x/{locale}/${posts}/{slug}` });
    await rename(await createLive('ä b'), 'new');
    expect(await rules()).toEqual([[`/x/en/${posts}/%C3%A4%20b`, `/x/en/${posts}/new`]]);
  });

  it('are not created for an address that is no valid source or destination', async () => {
    await admin.put(`/schema/collections/${posts}`, { urlPattern: '/{slug}' });
    const entry = await createLive(`${posts}-a`);
    await rename(entry, `\\${posts}.example`);
    await rename(entry, `${posts}-b`);
    expect(await rules()).toEqual([]);
  });

  it('are not created for unresolvable URL patterns and collections that are not routable', async () => {
    await admin.put(`/schema/collections/${posts}`, { urlPattern: `/{year}/${posts}/{slug}` });
    await rename(await createLive('a'), 'b');
    await admin.put(`/schema/collections/${posts}`, { urlPattern: null, routable: false });
    await rename(await createLive('c'), 'd');
    expect(await rules()).toEqual([]);
  });

  it('are not created for an entry that is not published before the change', async () => {
    const draft = await createEntry(admin, posts, {}, { slug: 'a' });
    await rename(draft, 'b');
    const hidden = await createLive('c');
    await hidden.unpublish();
    await rename(hidden, 'd');
    expect(await rules()).toEqual([]);
  });

  it('are created by scheduled publishing', async () => {
    const entry = await createLive('old');
    await entry.put({ slug: 'new' });
    await entry.schedule();
    await makeOverdue(site, entry);
    const created = await eventually(rules, ({ length }) => length > 0);
    expect(created).toEqual([[path('old'), path('new')]]);
  });
});

describe('publication of an entry at a former address of another', () => {
  /** Redirects /a to /b, the address of a published entry. */
  beforeEach(async () => rename(await createLive('a'), 'b'));
  const former = () => [[path('a'), path('b')]];

  it('deletes the redirect on its first publication', async () => {
    const entry = await createEntry(admin, posts, {}, { slug: 'a' });
    expect(await rules()).toEqual(former());
    await entry.publish();
    expect(await rules()).toEqual([]);
    expect((await admin.get(`/redirects/resolve?path=${path('a')}`)).data).toEqual({ redirect: null });
  });

  it('deletes the redirect after the entry was unpublished and renamed', async () => {
    const entry = await createLive('x');
    await entry.unpublish();
    await entry.put({ slug: 'a' });
    expect(await rules()).toEqual(former());
    await entry.publish();
    expect(await rules()).toEqual([]);
  });

  it('deletes the redirect by scheduled publishing', async () => {
    const entry = await createEntry(admin, posts, {}, { slug: 'a' });
    await entry.schedule();
    expect(await rules()).toEqual(former());
    await makeOverdue(site, entry);
    expect(await eventually(rules, ({ length }) => length === 0)).toEqual([]);
    expect((await entry.get()).item.status).toBe('published');
  });

  it('keeps manual rules and rules of other addresses', async () => {
    await rename(await createLive('c'), 'd');
    await admin.post('/redirects', { source: path('e'), destination: path('b') });
    for (const slug of ['a', 'e']) await createLive(slug);
    expect(await rules()).toEqual([
      [path('c'), path('d')],
      [path('e'), path('b')],
    ]);
  });

  it('keeps the redirect on a collection that is not routable', async () => {
    await admin.put(`/schema/collections/${posts}`, { routable: false });
    await createLive('a');
    expect(await rules()).toEqual(former());
  });
});
