import { beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, useSite, type ApiResponse, type Client } from '@quire/testing';

const site = useSite({ lifetime: 'test' });
let admin: Client;

beforeEach(async () => {
  admin = await site.as('admin');
});

const activationPath = '/admin/media-usage/activation';
const progressPath = '/admin/media-usage/progress';
const drained = { writersDrained: true };
const advance = () => admin.post(activationPath, drained);
const advanceProgress = () => admin.post(progressPath);

async function collections(...slugs: string[]): Promise<void> {
  for (const slug of slugs) {
    expect((await admin.post('/schema/collections', { slug, label: slug })).status).toBe(201);
    const field = { slug: 'picture', label: 'Picture', type: 'image' };
    expect((await admin.post(`/schema/collections/${slug}/fields`, field)).status).toBe(201);
  }
}

/** Sends progress requests until the response requests no further one. */
async function finishProgress(): Promise<{ requests: number; last: Record<string, unknown> }> {
  for (let requests = 1; requests < 50; requests += 1) {
    const { status, data } = await advanceProgress();
    expect(status).toBe(200);
    if (data.nextRequestInMs === null) return { requests, last: data };
  }
  throw new Error('The progress never ended');
}

const statusOfWrite = async () => {
  const response = await admin.post('/content/pages', { data: {} });
  return response.status === 201 ? [201] : statusAndCode(response);
};
const inProgress = [503, 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS'];

describe('media usage before its activation (document 1, Media usage activation)', () => {
  it('GET /admin/media-usage/activation returns the state expanded, and progress requests return 409', async () => {
    const { data } = await admin.get(activationPath);
    expect(data).toEqual({
      state: 'expanded',
      collectionCursor: null,
      attemptCount: 0,
      drainConfirmedAt: null,
      lastAttemptedAt: null,
      lastErrorCode: null,
      leaseExpiresAt: null,
      activatedAt: null,
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect(statusAndCode(await admin.get(progressPath))).toEqual([409, 'MEDIA_USAGE_ACTIVATION_CONFLICT']);
    expect(statusAndCode(await advanceProgress())).toEqual([409, 'MEDIA_USAGE_ACTIVATION_CONFLICT']);
    expect((await admin.get(activationPath)).data).toEqual(data);
  });

  it.each([
    ['writersDrained', {}],
    ['writersDrained', { writersDrained: false }],
    ['writersDrained', { writersDrained: 'true' }],
    ['', { writersDrained: true, force: true }],
  ])('POST /admin/media-usage/activation returns 400 naming "%s" for %j', async (path, body) => {
    const response = await admin.post(activationPath, body);
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', [path]]);
    expect((await admin.get(activationPath)).data.state).toBe('expanded');
  });

  it('POST /admin/media-usage/activation completes at once without collections', async () => {
    expect((await advance()).data).toMatchObject({
      outcome: 'active',
      processedCollections: 0,
      activation: { state: 'active', activatedAt: expect.stringMatching(/Z$/), leaseExpiresAt: null },
    });
  });
});

describe('writes while the state of the activation is unavailable', () => {
  it('return 503 with Retry-After and change nothing', async () => {
    await site.sql('ALTER TABLE read_only_modes RENAME TO read_only_modes_away');
    const write = () => admin.post('/schema/collections', { slug: 'pages', label: 'Pages' });
    const response = await write();
    expect(statusAndCode(response)).toEqual([503, 'MEDIA_USAGE_ACTIVATION_CHECK_FAILED']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await admin.get('/schema/collections')).data.items).toEqual([]);
    await site.sql('ALTER TABLE read_only_modes_away RENAME TO read_only_modes');
    expect((await write()).status).toBe(201);
  });
});

describe('writes during the activation', () => {
  it.each<[string, (client: Client, entry: string) => Promise<ApiResponse>]>([
    ['an update', (client, entry) => client.put(entry, { data: {} })],
    ['a deletion', (client, entry) => client.delete(entry)],
    ['a publication', (client, entry) => client.post(`${entry}/publish`)],
    ['an edit lock', (client, entry) => client.post(`${entry}/lock`)],
    ['an assignment of terms', (client, entry) => client.post(`${entry}/terms/tag`, { termIds: [] })],
    [
      'the restoration of a revision',
      (client) => client.post('/revisions/01ARZ3NDEKTSV4RRFFQ69G5FAV/restore'),
    ],
    [
      'a new field',
      (client) => client.post('/schema/collections/pages/fields', { slug: 'x', label: 'X', type: 'string' }),
    ],
    [
      'a change of a field',
      (client) => client.put('/schema/collections/pages/fields/picture', { label: 'X' }),
    ],
    ['the deletion of a field', (client) => client.delete('/schema/collections/pages/fields/picture')],
    ['a repair', (client) => client.post('/admin/media-usage/repair', { scope: 'all' })],
  ])('return 503 for %s, and another status afterwards', async (_, request) => {
    await collections('pages', 'posts');
    const { id } = (await admin.post('/content/pages', { data: {} })).data.item;
    await advance();
    const send = () => request(admin, `/content/pages/${id}`);
    expect(statusAndCode(await send())).toEqual(inProgress);
    await advance();
    expect((await send()).status).not.toBe(503);
  });
});

describe('POST /admin/media-usage/activation (Media rule 9)', () => {
  it('prepares one collection per request, and blocks writes of content and schema', async () => {
    await collections('pages', 'posts', 'works');
    expect((await advance()).data).toMatchObject({
      outcome: 'activating',
      processedCollections: 1,
      activation: { state: 'activating', collectionCursor: 'pages', attemptCount: 1, lastErrorCode: null },
    });

    const entry = await admin.post('/content/pages', { data: {} });
    expect(statusAndCode(entry)).toEqual(inProgress);
    expect(Number(entry.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(statusAndCode(await admin.post('/schema/collections', { slug: 'more', label: 'More' }))).toEqual(
      inProgress,
    );
    expect((await admin.get('/content/pages')).status).toBe(200);
    expect((await admin.get('/schema/collections')).status).toBe(200);

    expect((await advanceProgress()).data).toMatchObject({
      activation: { state: 'activating', collectionCursor: 'posts' },
      progress: null,
      nextRequestInMs: 0,
    });
    expect(await statusOfWrite()).toEqual(inProgress);
    expect((await advance()).data).toMatchObject({ outcome: 'active', processedCollections: 1 });
    expect(await statusOfWrite()).toEqual([201]);
  });

  it('keeps 403 for callers who may not write', async () => {
    await collections('pages', 'posts');
    await advance();
    const reader = await site.as('subscriber');
    expect(statusAndCode(await reader.post('/content/pages', { data: {} }))).toEqual([403, 'FORBIDDEN']);
  });

  it('does not affect another site', async () => {
    await collections('pages', 'posts');
    await advance();
    const other = await openSite();
    const theirs = await other.as('admin');
    expect((await theirs.post('/schema/collections', { slug: 'pages', label: 'Pages' })).status).toBe(201);
    expect((await theirs.get(activationPath)).data.state).toBe('expanded');
    await other.close();
  });

  it('changes nothing after its completion', async () => {
    await collections('pages');
    await advance();
    const before = (await admin.get(activationPath)).data;
    expect((await advance()).data).toEqual({
      outcome: 'active',
      processedCollections: 0,
      activation: before,
    });
    expect(await statusOfWrite()).toEqual([201]);
  });

  it('prepares each collection once when 4 requests race', async () => {
    await collections('pages', 'posts', 'works');
    const responses = await Promise.all([advance(), advance(), advance(), advance()]);
    const busy = responses.filter(({ status }) => status === 409);
    for (const response of busy)
      expect(statusAndCode(response)).toEqual([409, 'MEDIA_USAGE_ACTIVATION_BUSY']);
    const done = responses.filter(({ status }) => status === 200);
    const processed = done.reduce((sum, { data }) => sum + data.processedCollections, 0);
    expect([done.length + busy.length, processed]).toEqual([4, Math.min(done.length, 3)]);
  });

  it('returns 409 BUSY with the lease expiry while another request holds the lease', async () => {
    await collections('pages');
    await site.sql(
      `UPDATE usage_activation SET lease_token = 'another', lease_expires_at = now() + interval '1 minute'`,
    );
    const response = await advance();
    const { leaseExpiresAt } = (await admin.get(activationPath)).data;
    expect([...statusAndCode(response), response.error.details]).toEqual([
      409,
      'MEDIA_USAGE_ACTIVATION_BUSY',
      { leaseExpiresAt },
    ]);
    expect(Date.parse(leaseExpiresAt)).toBeGreaterThan(Date.now());
  });

  it('resumes after the lease of a crashed request has expired', async () => {
    await collections('pages');
    await site.sql(
      `UPDATE usage_activation SET state = 'activating', lease_token = 'dead', lease_expires_at = now() - interval '1 second'`,
    );
    expect((await advance()).data).toMatchObject({ outcome: 'active', processedCollections: 1 });
  });

  it('keeps blocking writes after a failure, and resumes with the next request', async () => {
    await collections('pages', 'posts', 'works');
    await advance();
    // A collection without its table cannot be prepared.
    await site.sql('ALTER TABLE content_posts RENAME TO content_renamed');
    expect(statusAndCode(await advanceProgress())).toEqual([500, 'MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR']);
    const failed = { lastErrorCode: 'MEDIA_USAGE_ACTIVATION_FAILED', collectionCursor: 'pages' };
    expect((await admin.get(activationPath)).data).toMatchObject({ ...failed, leaseExpiresAt: null });
    expect(await statusOfWrite()).toEqual(inProgress);

    await site.sql('ALTER TABLE content_renamed RENAME TO content_posts');
    expect((await advanceProgress()).data).toMatchObject({ activation: failed, nextRequestInMs: null });
    expect((await advance()).data).toMatchObject({
      processedCollections: 1,
      activation: { lastErrorCode: null, collectionCursor: 'posts' },
    });
    await finishProgress();
    expect(await statusOfWrite()).toEqual([201]);
  });

  it('returns 409 VERSION_MISMATCH for an activation by a newer version', async () => {
    await site.sql('UPDATE usage_activation SET format = 2');
    for (const response of [await admin.get(activationPath), await advance(), await advanceProgress()])
      expect(statusAndCode(response)).toEqual([409, 'MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH']);
  });
});

describe('GET and POST /admin/media-usage/progress (Media rule 9)', () => {
  it('continue after the activation until earlier writes are indexed', async () => {
    await collections('pages', 'posts');
    for (const slug of ['pages', 'posts']) await admin.post(`/content/${slug}`, { data: {} });
    await advance();
    await advance();
    // The worker indexes concurrently.
    const { readyCollections, ...progress } = (await admin.get(progressPath)).data;
    expect(progress).toEqual({
      status: readyCollections === 2 ? 'ready' : 'indexing',
      totalCollections: 2,
    });
    const { last } = await finishProgress();
    expect(last).toMatchObject({
      activation: { state: 'active' },
      progress: { status: 'ready', readyCollections: 2, totalCollections: 2 },
      nextRequestInMs: null,
    });
    expect((await admin.get(progressPath)).data).toEqual(last.progress);
  });

  it('complete an activation', async () => {
    await collections('pages', 'posts', 'works');
    await advance();
    await finishProgress();
    expect((await admin.get(activationPath)).data.state).toBe('active');
    expect(await statusOfWrite()).toEqual([201]);
  });

  it('accept only an empty object as body', async () => {
    await advance();
    expect((await admin.post(progressPath, {})).status).toBe(200);
    expect(statusAndCode(await admin.post(progressPath, { more: 1 }))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
