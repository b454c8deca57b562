import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  makeEntry,
  openSite,
  outcome,
  type Answer,
  type Client,
  type Site,
  type TestEntry,
  type TestRole,
} from '@quire/testing';

let site: Site;
let termId: string;
let draft: TestEntry;
let published: TestEntry;

beforeAll(async () => {
  site = await openSite();
  await site.collection();
  const editor = await site.as('editor');
  await editor.post('/taxonomies', { name: 'tag', label: 'Tags', collections: ['posts'] });
  termId = (await editor.post('/taxonomies/tag/terms', { label: 'One' })).data.term.id;
  draft = await makeEntry(editor);
  published = await makeEntry(editor);
  await published.publish();
});
afterAll(() => site.close());

type Call = (client: Client) => Promise<Answer>;
const roles: TestRole[] = ['subscriber', 'contributor', 'author', 'editor', 'admin'];

const reads: [string, Call][] = [
  ['listTaxonomies', (client) => client.get('/taxonomies')],
  ['getTaxonomy', (client) => client.get('/taxonomies/tag')],
  ['listTaxonomyTranslations', (client) => client.get('/taxonomies/tag/translations')],
  ['listTerms', (client) => client.get('/taxonomies/tag/terms')],
  ['getTerm', (client) => client.get('/taxonomies/tag/terms/one')],
];
// Each is addressed so that a caller who gets in changes nothing: what counts here is the door.
const writes: [string, Call][] = [
  ['createTaxonomy', (client) => client.post('/taxonomies', { name: 'tag', label: 'Tags' })],
  ['updateTaxonomy', (client) => client.put('/taxonomies/nothing', { label: 'x' })],
  ['deleteTaxonomy', (client) => client.delete('/taxonomies/nothing')],
  ['reorderTerms', (client) => client.post('/taxonomies/tag/reorder', { ids: [] })],
  ['createTerm', (client) => client.post('/taxonomies/nothing/terms', { label: 'x' })],
  ['updateTerm', (client) => client.put('/taxonomies/tag/terms/nothing', {})],
  ['deleteTerm', (client) => client.delete('/taxonomies/tag/terms/nothing')],
];
const getTerms: Call = (client) => client.get(`${published.path}/terms/tag`);
const setTerms: Call = (client) => client.post(`${published.path}/terms/tag`, { termIds: [termId] });

const forbidden = [403, 'FORBIDDEN'];
const outOfScope = [403, 'INSUFFICIENT_SCOPE'];
const letsIn = (answer: Answer) => expect([401, 403]).not.toContain(answer.status);

describe('taxonomies:read', () => {
  it.each(reads)('lets everybody with a role use %s', async (_name, call) => {
    for (const role of roles) expect((await call(await site.as(role))).status).toBe(200);
  });
});

describe('taxonomies:manage', () => {
  it.each(writes)('lets editors and admins use %s, and nobody below', async (_name, call) => {
    for (const role of ['subscriber', 'contributor', 'author'] as const)
      expect(outcome(await call(await site.as(role)))).toEqual(forbidden);
    for (const role of ['editor', 'admin'] as const) letsIn(await call(await site.as(role)));
  });
});

describe('the terms of an entry', () => {
  it('are read by everybody when it is published', async () => {
    for (const role of roles) expect((await getTerms(await site.as(role))).status).toBe(200);
  });
  it('of a draft are 404 for those who may not read drafts', async () => {
    const read = async (role: TestRole) =>
      outcome(await (await site.as(role)).get(`${draft.path}/terms/tag`));
    expect(await read('subscriber')).toEqual([404, 'NOT_FOUND']);
    for (const role of roles.slice(1)) expect((await read(role))[0]).toBe(200);
  });
  it('are set by editors on any entry, by authors on their own, by nobody below', async () => {
    for (const role of ['editor', 'admin'] as const)
      expect((await setTerms(await site.as(role))).status).toBe(200);
    for (const role of ['subscriber', 'contributor', 'author'] as const)
      expect(outcome(await setTerms(await site.as(role)))).toEqual(forbidden);
    const author = await site.as('author');
    const own = await makeEntry(author);
    expect((await author.post(`${own.path}/terms/tag`, { termIds: [termId] })).status).toBe(200);
    const contributor = await site.as('contributor');
    const theirs = await makeEntry(contributor);
    expect(outcome(await contributor.post(`${theirs.path}/terms/tag`, { termIds: [] }))).toEqual(forbidden);
  });
});

describe('a Bearer token', () => {
  it.each([...reads, ['getContentTerms', getTerms] as [string, Call]])(
    'needs content:read for %s',
    async (_name, call) => {
      expect((await call(await site.withScopes('subscriber', ['content:read']))).status).toBe(200);
      const narrow = await site.withScopes('admin', ['content:write', 'taxonomies:manage', 'schema:read']);
      expect(outcome(await call(narrow))).toEqual(outOfScope);
    },
  );
  it.each(writes)('needs taxonomies:manage, which content:write implies, for %s', async (_name, call) => {
    for (const scope of ['taxonomies:manage', 'content:write'])
      letsIn(await call(await site.withScopes('editor', [scope])));
    const narrow = await site.withScopes('admin', ['content:read', 'menus:manage', 'schema:write']);
    expect(outcome(await call(narrow))).toEqual(outOfScope);
    const wide = await site.withScopes('author', ['taxonomies:manage']);
    expect(outcome(await call(wide))).toEqual(forbidden);
  });
  it('needs content:write for setContentTerms', async () => {
    expect((await setTerms(await site.withScopes('editor', ['content:write']))).status).toBe(200);
    const narrow = await site.withScopes('editor', ['content:read', 'taxonomies:manage']);
    expect(outcome(await setTerms(narrow))).toEqual(outOfScope);
  });
});

describe('without a credential', () => {
  it.each([
    ...reads,
    ...writes,
    ['getContentTerms', getTerms] as const,
    ['setContentTerms', setTerms] as const,
  ])('%s answers 401 NOT_AUTHENTICATED', async (_name, call) => {
    expect(outcome(await call(site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});

describe('another tenant', () => {
  it('sees no taxonomy, term or assignment of this one, and may use the same names', async () => {
    const other = await openSite();
    await other.collection();
    const theirs = await other.as('editor');
    expect((await theirs.get('/taxonomies')).data.taxonomies).toEqual([]);
    for (const [, call] of reads.slice(1)) expect(outcome(await call(theirs))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await theirs.delete('/taxonomies/tag'))).toEqual([404, 'NOT_FOUND']);
    expect((await theirs.post('/taxonomies', { name: 'tag', label: 'Theirs' })).status).toBe(201);
    const entry = await makeEntry(theirs);
    const answer = await theirs.post(`${entry.path}/terms/tag`, { termIds: [termId] });
    expect(outcome(answer)).toEqual([404, 'NOT_FOUND']);
    const child = await theirs.post('/taxonomies/tag/terms', {
      label: 'x',
      locale: 'de',
      translationOf: termId,
    });
    expect(outcome(child)).toEqual([404, 'NOT_FOUND']);
    expect((await theirs.delete('/taxonomies/tag')).status).toBe(200);
    expect((await (await site.as('editor')).get('/taxonomies/tag/terms')).data.terms).toHaveLength(1);
    await other.close();
  });
});
