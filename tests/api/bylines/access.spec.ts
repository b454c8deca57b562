import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  makeEntry,
  openSite,
  outcome,
  walkPages,
  type Answer,
  type Client,
  type Site,
  type TestRole,
} from '@quire/testing';

let site: Site;
let id: string;

beforeAll(async () => {
  site = await openSite();
  await site.collection();
  const admin = await site.as('admin');
  id = (await admin.post('/admin/bylines', { slug: 'ann', displayName: 'Ann' })).data.id;
  await admin.post('/admin/byline-fields', { slug: 'job', label: 'Job', type: 'string' });
});
afterAll(() => site.close());

type Call = (client: Client) => Promise<Answer>;
const roles: TestRole[] = ['subscriber', 'contributor', 'author', 'editor', 'admin'];
const fields = '/admin/byline-fields';

const reads: [string, Call][] = [
  ['the list of bylines', (client) => client.get('/admin/bylines')],
  ['a byline', (client) => client.get(`/admin/bylines/${id}`)],
  ['its translations', (client) => client.get(`/admin/bylines/${id}/translations`)],
];
// Each is addressed so that a caller who gets in changes nothing: what counts here is the door.
const writes: [string, Call][] = [
  ['creating a byline', (client) => client.post('/admin/bylines', { slug: 'ann', displayName: 'Ann' })],
  ['changing a byline', (client) => client.put('/admin/bylines/nothing', {})],
  ['deleting a byline', (client) => client.delete('/admin/bylines/nothing')],
  ['translating a byline', (client) => client.post('/admin/bylines/nothing/translations', { locale: 'de' })],
];
const fieldReads: [string, Call][] = [
  ['the list of fields', (client) => client.get(fields)],
  ['a field', (client) => client.get(`${fields}/job`)],
  ['the usage of a field', (client) => client.get(`${fields}/job/usage`)],
];
const fieldWrites: [string, Call][] = [
  ['creating a field', (client) => client.post(fields, { slug: 'job', label: 'Job', type: 'string' })],
  ['changing a field', (client) => client.patch(`${fields}/nothing`, {})],
  ['deleting a field', (client) => client.delete(`${fields}/nothing`)],
  ['ordering the fields', (client) => client.post(`${fields}/reorder`, { slugs: [] })],
];
const everything = [...reads, ...writes, ...fieldReads, ...fieldWrites];

const forbidden = [403, 'FORBIDDEN'];
const letsIn = (answer: Answer) => expect([401, 403]).not.toContain(answer.status);
const opensFrom = async (call: Call, lowest: TestRole) => {
  const from = roles.indexOf(lowest);
  for (const role of roles.slice(0, from))
    expect(outcome(await call(await site.as(role)))).toEqual(forbidden);
  for (const role of roles.slice(from)) letsIn(await call(await site.as(role)));
};

describe('bylines', () => {
  it.each(reads)('are read by everybody with a role: %s', async (_, call) => {
    await opensFrom(call, 'subscriber');
  });
  it.each(writes)('are managed by editors and admins: %s', async (_, call) => {
    await opensFrom(call, 'editor');
  });
});

describe('byline fields', () => {
  it.each(fieldReads)('are read by editors and admins: %s', async (_, call) => {
    await opensFrom(call, 'editor');
  });
  it.each(fieldWrites)('are managed by admins: %s', async (_, call) => {
    await opensFrom(call, 'admin');
  });
});

describe.each(everything)('%s', (_, call) => {
  it('needs a credential', async () => {
    expect(outcome(await call(site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
  it('needs a token of the scope admin', async () => {
    const scopes = ['content:read', 'content:write', 'schema:read', 'schema:write', 'settings:manage'];
    const narrow = await site.withScopes('admin', scopes);
    expect(outcome(await call(narrow))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});

describe('another tenant', () => {
  it('sees no byline and no field of this one, credits none, and may use the same slugs', async () => {
    const other = await openSite();
    await other.collection();
    const theirs = await other.as('admin');
    expect(await walkPages(theirs, '/admin/bylines')).toEqual([]);
    expect((await theirs.get(fields)).data.items).toEqual([]);
    const answers = [
      await theirs.get(`/admin/bylines/${id}`),
      await theirs.put(`/admin/bylines/${id}`, { displayName: 'Theirs' }),
      await theirs.delete(`/admin/bylines/${id}`),
      await theirs.get(`/admin/bylines/${id}/translations`),
      await theirs.post(`/admin/bylines/${id}/translations`, { locale: 'de' }),
      await theirs.get(`${fields}/job`),
      await theirs.delete(`${fields}/job`),
    ];
    expect(answers.map(outcome)).toEqual(Array(7).fill([404, 'NOT_FOUND']));
    const entry = await makeEntry(theirs);
    expect(outcome(await entry.put({ bylines: [{ bylineId: id }] }))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await theirs.post('/admin/bylines', { slug: 'ann', displayName: 'Ann' })).status).toBe(201);
    expect((await theirs.post(fields, { slug: 'job', label: 'Job', type: 'url' })).status).toBe(201);
    expect((await (await site.as('admin')).get(`/admin/bylines/${id}`)).data.displayName).toBe('Ann');
    await other.close();
  });
});
