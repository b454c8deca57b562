import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  describePermissions,
  openSite,
  statusAndCode,
  testRoles,
  useSite,
  type Call,
  type PermissionCase,
  type TestEntry,
  type TestRole,
} from '@quire/testing';

const site = useSite();
let termId: string;
let draft: TestEntry;
let published: TestEntry;

beforeAll(async () => {
  await site.collection();
  const editor = await site.as('editor');
  await editor.post('/taxonomies', { name: 'tag', label: 'Tags', collections: ['posts'] });
  termId = (await editor.post('/taxonomies/tag/terms', { label: 'One' })).data.term.id;
  draft = await createEntry(editor);
  published = await createEntry(editor);
  await published.publish();
});

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

describe('permissions of the terms of an entry', () => {
  it('return 404 for a draft without the right to read drafts', async () => {
    const read = async (role: TestRole) =>
      statusAndCode(await (await site.as(role)).get(`${draft.path}/terms/tag`));
    expect(await read('subscriber')).toEqual([404, 'NOT_FOUND']);
    for (const role of testRoles.slice(1)) expect((await read(role))[0]).toBe(200);
  });
  it('allow authors, but not contributors, to set terms of own entries', async () => {
    const author = await site.as('author');
    const own = await createEntry(author);
    expect((await author.post(`${own.path}/terms/tag`, { termIds: [termId] })).status).toBe(200);
    const contributor = await site.as('contributor');
    const entry = await createEntry(contributor);
    expect(statusAndCode(await contributor.post(`${entry.path}/terms/tag`, { termIds: [] }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });
});

describe('taxonomies of another site', () => {
  it('are not listed and return 404 NOT_FOUND; their names are free', async () => {
    const other = await openSite();
    await other.collection();
    const otherEditor = await other.as('editor');
    expect((await otherEditor.get('/taxonomies')).data.taxonomies).toEqual([]);
    for (const call of Object.values(reads))
      expect(statusAndCode(await call(otherEditor))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await otherEditor.delete('/taxonomies/tag'))).toEqual([404, 'NOT_FOUND']);
    expect((await otherEditor.post('/taxonomies', { name: 'tag', label: 'Other' })).status).toBe(201);
    const entry = await createEntry(otherEditor);
    const response = await otherEditor.post(`${entry.path}/terms/tag`, { termIds: [termId] });
    expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    const child = await otherEditor.post('/taxonomies/tag/terms', {
      label: 'x',
      locale: 'de',
      translationOf: termId,
    });
    expect(statusAndCode(child)).toEqual([404, 'NOT_FOUND']);
    expect((await otherEditor.delete('/taxonomies/tag')).status).toBe(200);
    expect((await (await site.as('editor')).get('/taxonomies/tag/terms')).data.terms).toHaveLength(1);
    await other.close();
  });
});
