import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, createEntry, openSite, type Client, type Site, type TestEntry } from '@quire/testing';

let site: Site;
let admin: Client;
let count = 0;
/** A collection of its own for each test. */
let posts: string;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
beforeEach(async () => {
  count += 1;
  posts = `posts_${count}`;
  await site.collection({ slug: posts });
});
afterAll(() => site.close());

/** A live entry with this slug. */
async function live(slug: string, more: object = {}, collection = posts): Promise<TestEntry> {
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

describe('a live entry whose slug changes (contract 7)', () => {
  it('leads its old address to the new one, permanently', async () => {
    await rename(await live('old'), 'new');
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
    const answer = await admin.get(`/redirects/resolve?path=${path('old')}`);
    expect(answer.data.redirect).toMatchObject({ destination: path('new'), type: 301 });
  });

  it('creates the redirect only when the change goes live', async () => {
    const entry = await live('old');
    await entry.put({ slug: 'new' });
    expect(await rules()).toEqual([]);
    await entry.discard();
    await entry.publish();
    expect(await rules()).toEqual([]);
  });

  it('creates it also on a collection without drafts', async () => {
    posts = `plain_${count}`;
    await site.collection({ slug: posts, supports: [] });
    const entry = await live('old');
    expect((await entry.put({ slug: 'new' })).status).toBe(200);
    expect(await rules()).toEqual([[path('old'), path('new')]]);
  });

  it('leads all former addresses straight to the last one', async () => {
    const entry = await live('a');
    await rename(entry, 'b');
    await rename(entry, 'c');
    expect(await rules()).toEqual([
      [path('a'), path('c')],
      [path('b'), path('c')],
    ]);
  });

  it('creates no loop when it gets its old slug back', async () => {
    const entry = await live('a');
    await rename(entry, 'b');
    await rename(entry, 'a');
    expect(await rules()).toEqual([[path('b'), path('a')]]);
  });

  it('gives an address back to the next entry that takes it', async () => {
    await rename(await live('a'), 'b');
    const other = await live('x');
    await rename(other, 'a');
    expect(await rules()).toEqual([[path('x'), path('a')]]);
  });

  it('makes none while another live entry has the old slug', async () => {
    const entry = await live('shared');
    await live('shared', { locale: 'de' });
    await rename(entry, 'own');
    expect(await rules()).toEqual([]);
  });

  it('leaves rules alone that people made', async () => {
    const own = { source: path('a'), destination: '/elsewhere', type: 302 };
    await admin.post('/redirects', own);
    await rename(await live('a'), 'b');
    const { items } = (await admin.get(`/redirects?search=${posts}`)).data;
    expect(items).toEqual([expect.objectContaining({ ...own, auto: false })]);
  });

  it('makes none that would close a circle with a rule that people made', async () => {
    await admin.post('/redirects', { source: path('b'), destination: path('a'), type: 302 });
    await rename(await live('a'), 'b');
    expect(await rules()).toEqual([[path('b'), path('a')]]);
  });

  it('makes none that would close a circle through a former address: that one is forgotten instead', async () => {
    const entry = await live('x');
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

  it('neither where people made a rule for the address that it leaves', async () => {
    const entry = await live('a');
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

  it('nor through many manual rules', async () => {
    const entry = await live('a');
    await rename(entry, 'b');
    const step = (index: number) => path(`step-${index}`);
    await admin.post('/redirects', { source: path('c'), destination: step(0) });
    for (let index = 0; index < 25; index += 1)
      await admin.post('/redirects', { source: step(index), destination: step(index + 1) });
    await admin.post('/redirects', { source: step(25), destination: path('a') });
    await rename(entry, 'c');
    const made = await rules();
    expect(made).toContainEqual([path('b'), path('c')]);
    expect(made.filter(([source]) => source === path('a'))).toEqual([]);
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('takes brackets in the URL pattern for text', async () => {
    await admin.put(`/schema/collections/${posts}`, { urlPattern: `/[x]/${posts}/{slug}` });
    await rename(await live('a'), 'b');
    expect(await rules()).toEqual([[`/%5Bx%5D/${posts}/a`, `/%5Bx%5D/${posts}/b`]]);
  });

  it('goes by the collection’s URL pattern', async () => {
    await admin.put(`/schema/collections/${posts}`, { urlPattern: `/x/{locale}/${posts}/{slug}` });
    await rename(await live('ä b'), 'new');
    expect(await rules()).toEqual([[`/x/en/${posts}/%C3%A4%20b`, `/x/en/${posts}/new`]]);
  });

  it('makes none from or to an address that no rule may have', async () => {
    await admin.put(`/schema/collections/${posts}`, { urlPattern: '/{slug}' });
    const entry = await live(`${posts}-a`);
    await rename(entry, `\\${posts}.example`);
    await rename(entry, `${posts}-b`);
    expect(await rules()).toEqual([]);
  });

  it('makes none where the address holds what only the site knows, or where entries have none', async () => {
    await admin.put(`/schema/collections/${posts}`, { urlPattern: `/{year}/${posts}/{slug}` });
    await rename(await live('a'), 'b');
    await admin.put(`/schema/collections/${posts}`, { urlPattern: null, routable: false });
    await rename(await live('c'), 'd');
    expect(await rules()).toEqual([]);
  });

  it('makes none for an entry that is not live, or that goes live with the change', async () => {
    const draft = await createEntry(admin, posts, {}, { slug: 'a' });
    await rename(draft, 'b');
    const hidden = await live('c');
    await hidden.unpublish();
    await rename(hidden, 'd');
    expect(await rules()).toEqual([]);
  });

  it('by a schedule does the same', async () => {
    const entry = await live('old');
    await entry.put({ slug: 'new' });
    await entry.schedule(new Date(Date.now() + 1_000).toISOString());
    const made = await eventually(rules, ({ length }) => length > 0);
    expect(made).toEqual([[path('old'), path('new')]]);
  });
});

describe('an entry that goes live at a former address of another', () => {
  /** Leads /a to /b, where an entry is live. */
  beforeEach(async () => rename(await live('a'), 'b'));
  const former = () => [[path('a'), path('b')]];

  it('is found there: its first publication takes the address back', async () => {
    const entry = await createEntry(admin, posts, {}, { slug: 'a' });
    expect(await rules()).toEqual(former());
    await entry.publish();
    expect(await rules()).toEqual([]);
    expect((await admin.get(`/redirects/resolve?path=${path('a')}`)).data).toEqual({ redirect: null });
  });

  it('also when it was taken off the site and renamed before', async () => {
    const entry = await live('x');
    await entry.unpublish();
    await entry.put({ slug: 'a' });
    expect(await rules()).toEqual(former());
    await entry.publish();
    expect(await rules()).toEqual([]);
  });

  it('also by a schedule, when its time has come', async () => {
    const entry = await createEntry(admin, posts, {}, { slug: 'a' });
    await entry.schedule(new Date(Date.now() + 1_500).toISOString());
    expect(await rules()).toEqual(former());
    expect(await eventually(rules, ({ length }) => length === 0)).toEqual([]);
    expect((await entry.get()).item.status).toBe('published');
  });

  it('leaves a rule there that people made, and those from elsewhere', async () => {
    await rename(await live('c'), 'd');
    await admin.post('/redirects', { source: path('e'), destination: path('b') });
    for (const slug of ['a', 'e']) await live(slug);
    expect(await rules()).toEqual([
      [path('c'), path('d')],
      [path('e'), path('b')],
    ]);
  });

  it('takes no address where the collection’s entries have none', async () => {
    await admin.put(`/schema/collections/${posts}`, { routable: false });
    await live('a');
    expect(await rules()).toEqual(former());
  });
});
