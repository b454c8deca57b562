import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, createEntry, createImage, uploadFile, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  for (const slug of ['posts', 'pages'])
    await site.collection({
      slug,
      fields: [
        { slug: 'title', type: 'string' },
        { slug: 'hero', type: 'image' },
      ],
    });
  const file = { bytes: await createImage(), type: 'image/png' };
  const { id } = (await uploadFile(admin, file)).data.item;
  await createEntry(admin, 'posts', { body: undefined, hero: { provider: 'local', id } });
});

const repair = (args: object, client = admin) => callTool(client, 'media_usage_repair', args);
const time = expect.stringMatching(/^\d{4}-.*Z$/);
const counts = {
  indexedSourceCount: 1,
  failedSourceCount: 0,
  skippedSourceCount: 0,
  deletedSourceCount: 0,
};
const nothing = { ...counts, indexedSourceCount: 0 };
const posts = {
  collection: 'posts',
  status: 'complete',
  ...counts,
  lastErrorCode: null,
  startedAt: time,
  completedAt: time,
};

describe('media_usage_repair', () => {
  it('returns the status and counts of one collection', async () => {
    const { data } = await repair({ scope: 'collection', collection: 'posts' });
    expect(data).toEqual({ status: 'complete', ...counts, collections: [posts] });
  });

  it('returns the sums of all collections, by slug', async () => {
    const { data } = await repair({ scope: 'all' });
    const pages = { ...posts, ...nothing, collection: 'pages' };
    expect(data).toEqual({ status: 'complete', ...counts, collections: [pages, posts] });
  });

  it('reports an unknown collection as a failed repair, which is no error', async () => {
    const { isError, data } = await repair({ scope: 'collection', collection: 'nothing' });
    const failed = { ...posts, ...nothing, collection: 'nothing', status: 'failed' };
    expect(isError).toBe(false);
    expect(data).toEqual({
      status: 'failed',
      ...nothing,
      collections: [{ ...failed, lastErrorCode: 'COLLECTION_NOT_FOUND' }],
    });
  });

  it.each([
    [{}],
    [{ scope: 'some' }],
    [{ scope: 'collection' }],
    [{ scope: 'all', collection: 'posts' }],
    [{ scope: 'all', unknown: true }],
  ])('rejects %j with VALIDATION_ERROR', async (args) => {
    expect((await repair(args)).code).toBe('VALIDATION_ERROR');
  });

  it('requires the scope admin, and an admin', async () => {
    const scopes = ['media:write', 'content:write', 'schema:write'];
    const limited = await site.withScopes('admin', scopes);
    expect((await repair({ scope: 'all' }, limited)).code).toBe('INSUFFICIENT_SCOPE');
    expect((await repair({ scope: 'all' }, await site.as('editor'))).code).toBe('INSUFFICIENT_PERMISSIONS');
  });
});
