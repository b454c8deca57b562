import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outcome, type Answer, type Client, type TestRole } from '@quire/testing';
import { UsageSite } from './lab/usage-site.js';

let lab: UsageSite;
let id: string;
beforeAll(async () => {
  lab = await UsageSite.open();
  id = await lab.media();
});
afterAll(() => lab.close());

type Call = (client: Client) => Promise<Answer>;
const details: [string, Call] = ['getMediaUsage', (client) => client.get(`/media/${id}/usage`)];
const nobody = { collectionId: 'none', contentId: 'none' };
const maintenance: [string, Call][] = [
  ['repairMediaUsage', (client) => client.post('/admin/media-usage/repair', { scope: 'all' })],
  ['listMediaUsageWork', (client) => client.get('/admin/media-usage/work?collection=posts')],
  ['retryMediaUsageWork', (client) => client.post('/admin/media-usage/work/retry', nobody)],
  ['listMediaUsageCollectionDeletions', (client) => client.get('/admin/media-usage/collection-deletions')],
  [
    'retryMediaUsageCollectionDeletion',
    (client) => client.post('/admin/media-usage/collection-deletions/retry', { collectionId: 'none' }),
  ],
];
const all = [details, ...maintenance];

const roles: TestRole[] = ['subscriber', 'contributor', 'author', 'editor', 'admin'];
const letsIn = (answer: Answer) => expect([401, 403]).not.toContain(answer.status);

describe('roles', () => {
  it.each([[...details, 1], ...maintenance.map(([name, call]) => [name, call, 4])] as [
    string,
    Call,
    number,
  ][])('%s is for some of them', async (_name, call, first) => {
    for (const role of roles.slice(first)) {
      letsIn(await call(await lab.site.as(role)));
      letsIn(await call(await lab.site.signedIn(role)));
    }
    for (const role of roles.slice(0, first)) {
      expect(outcome(await call(await lab.site.as(role)))).toEqual([403, 'FORBIDDEN']);
      expect(outcome(await call(await lab.site.signedIn(role)))).toEqual([403, 'FORBIDDEN']);
    }
  });
});

describe('a Bearer token', () => {
  it.each(all)('needs the scope admin for %s', async (_name, call) => {
    const scopes = ['media:read', 'media:write', 'content:read', 'schema:read', 'schema:write'];
    expect(outcome(await call(await lab.site.withScopes('admin', scopes)))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
  });
});

describe('without a credential', () => {
  it.each(all)('%s answers 401 NOT_AUTHENTICATED', async (_name, call) => {
    expect(outcome(await call(lab.site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});
