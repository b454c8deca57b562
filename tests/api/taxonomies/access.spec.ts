import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  createEntry,
  openSite,
  statusAndCode,
  testRoles,
  type Call,
  type PermissionCase,
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
  draft = await createEntry(editor);
  published = await createEntry(editor);
  await published.publish();
});
afterAll(() => site.close());

const reads: Record<string, Call> = {
  getTaxonomy: (client) => client.get('/taxonomies/tag'),
  listTaxonomyTranslations: (client) => client.get('/taxonomies/tag/translations'),
  listTerms: (client) => client.get('/taxonomies/tag/terms'),
  getTerm: (client) => client.get('/taxonomies/tag/terms/one'),
};

const permissionCases: PermissionCase[] = [
  {
    permission: 'taxonomies:read',
    minRole: 'subscriber',
    scopes: ['content:read'],
    expectedStatus: 200,
    operations: { listTaxonomies: (client) => client.get('/taxonomies'), ...reads },
  },
  {
    permission: 'taxonomies:manage',
    minRole: 'editor',
    scopes: ['taxonomies:manage', 'content:write'],
    operations: {
      createTaxonomy: (client) => client.post('/taxonomies', { name: 'tag', label: 'Tags' }),
      updateTaxonomy: (client) => client.put('/taxonomies/nothing', { label: 'x' }),
      deleteTaxonomy: (client) => client.delete('/taxonomies/nothing'),
      reorderTerms: (client) => client.post('/taxonomies/tag/reorder', { ids: [] }),
      createTerm: (client) => client.post('/taxonomies/nothing/terms', { label: 'x' }),
      updateTerm: (client) => client.put('/taxonomies/tag/terms/nothing', {}),
      deleteTerm: (client) => client.delete('/taxonomies/tag/terms/nothing'),
    },
  },
  {
    permission: 'content:read',
    minRole: 'subscriber',
    scopes: ['content:read'],
    expectedStatus: 200,
    operations: { getContentTerms: (client) => client.get(`${published.path}/terms/tag`) },
  },
  {
    permission: 'content:edit_any',
    minRole: 'editor',
    scopes: ['content:write'],
    expectedStatus: 200,
    operations: {
      setContentTerms: (client) => client.post(`${published.path}/terms/tag`, { termIds: [termId] }),
    },
  },
];
describePermissions(() => site, permissionCases);

describe('the terms of an entry', () => {
  it('of a draft are 404 for those who may not read drafts', async () => {
    const read = async (role: TestRole) =>
      statusAndCode(await (await site.as(role)).get(`${draft.path}/terms/tag`));
    expect(await read('subscriber')).toEqual([404, 'NOT_FOUND']);
    for (const role of testRoles.slice(1)) expect((await read(role))[0]).toBe(200);
  });
  it('are set by authors on their own, and not by contributors', async () => {
    const author = await site.as('author');
    const own = await createEntry(author);
    expect((await author.post(`${own.path}/terms/tag`, { termIds: [termId] })).status).toBe(200);
    const contributor = await site.as('contributor');
    const theirs = await createEntry(contributor);
    expect(statusAndCode(await contributor.post(`${theirs.path}/terms/tag`, { termIds: [] }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });
});

describe('another tenant', () => {
  it('sees no taxonomy, term or assignment of this one, and may use the same names', async () => {
    const other = await openSite();
    await other.collection();
    const theirs = await other.as('editor');
    expect((await theirs.get('/taxonomies')).data.taxonomies).toEqual([]);
    for (const call of Object.values(reads))
      expect(statusAndCode(await call(theirs))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await theirs.delete('/taxonomies/tag'))).toEqual([404, 'NOT_FOUND']);
    expect((await theirs.post('/taxonomies', { name: 'tag', label: 'Theirs' })).status).toBe(201);
    const entry = await createEntry(theirs);
    const answer = await theirs.post(`${entry.path}/terms/tag`, { termIds: [termId] });
    expect(statusAndCode(answer)).toEqual([404, 'NOT_FOUND']);
    const child = await theirs.post('/taxonomies/tag/terms', {
      label: 'x',
      locale: 'de',
      translationOf: termId,
    });
    expect(statusAndCode(child)).toEqual([404, 'NOT_FOUND']);
    expect((await theirs.delete('/taxonomies/tag')).status).toBe(200);
    expect((await (await site.as('editor')).get('/taxonomies/tag/terms')).data.terms).toHaveLength(1);
    await other.close();
  });
});
