import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  issuePaths,
  openSite,
  statusAndCode,
  type ApiResponse,
  type Client,
  type Site,
} from '@quire/testing';

let site: Site;
let admin: Client;

beforeEach(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
const opened: Site[] = [];
afterEach(() => void opened.push(site));
afterAll(() => Promise.all(opened.map((one) => one.close())));

const activationPath = '/admin/media-usage/activation';
const progressPath = '/admin/media-usage/progress';
const drained = { writersDrained: true };
const advance = () => admin.post(activationPath, drained);
const proceed = () => admin.post(progressPath);

async function collections(...slugs: string[]): Promise<void> {
  for (const slug of slugs) {
    expect((await admin.post('/schema/collections', { slug, label: slug })).status).toBe(201);
    const field = { slug: 'picture', label: 'Picture', type: 'image' };
    expect((await admin.post(`/schema/collections/${slug}/fields`, field)).status).toBe(201);
  }
}

/** Sends progress requests until none is asked for any more. */
async function finish(): Promise<{ requests: number; last: Record<string, unknown> }> {
  for (let requests = 1; requests < 50; requests += 1) {
    const { status, data } = await proceed();
    expect(status).toBe(200);
    if (data.nextRequestInMs === null) return { requests, last: data };
  }
  throw new Error('The progress never ended');
}

const oneWrite = async () => {
  const answer = await admin.post('/content/pages', { data: {} });
  return answer.status === 201 ? [201] : statusAndCode(answer);
};
const refused = [503, 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS'];

describe('a site whose media usage is not tracked yet (document 1, Media usage activation)', () => {
  it('reports state expanded and no progress', async () => {
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
    expect(statusAndCode(await proceed())).toEqual([409, 'MEDIA_USAGE_ACTIVATION_CONFLICT']);
    expect((await admin.get(activationPath)).data).toEqual(data);
  });

  it.each([
    ['writersDrained', {}],
    ['writersDrained', { writersDrained: false }],
    ['writersDrained', { writersDrained: 'true' }],
    ['', { writersDrained: true, force: true }],
  ])('does not begin without the confirmation alone: %s of %j', async (path, body) => {
    const answer = await admin.post(activationPath, body);
    expect([...statusAndCode(answer), issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', [path]]);
    expect((await admin.get(activationPath)).data.state).toBe('expanded');
  });

  it('is active at once when it has no collections', async () => {
    expect((await advance()).data).toMatchObject({
      outcome: 'active',
      processedCollections: 0,
      activation: { state: 'active', activatedAt: expect.stringMatching(/Z$/), leaseExpiresAt: null },
    });
  });
});

describe('while it cannot be told whether the media usage is being activated', () => {
  it('nothing is written, and clients are told to come again', async () => {
    await site.sql('ALTER TABLE read_only_modes RENAME TO read_only_modes_away');
    const write = () => admin.post('/schema/collections', { slug: 'pages', label: 'Pages' });
    const answer = await write();
    expect(statusAndCode(answer)).toEqual([503, 'MEDIA_USAGE_ACTIVATION_CHECK_FAILED']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await admin.get('/schema/collections')).data.items).toEqual([]);
    await site.sql('ALTER TABLE read_only_modes_away RENAME TO read_only_modes');
    expect((await write()).status).toBe(201);
  });
});

describe('while the media usage is being activated', () => {
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
    ['the end of a field', (client) => client.delete('/schema/collections/pages/fields/picture')],
    ['a repair', (client) => client.post('/admin/media-usage/repair', { scope: 'all' })],
  ])('%s is refused, and works or fails by itself afterwards', async (_, request) => {
    await collections('pages', 'posts');
    const { id } = (await admin.post('/content/pages', { data: {} })).data.item;
    await advance();
    const send = () => request(admin, `/content/pages/${id}`);
    expect(statusAndCode(await send())).toEqual(refused);
    await advance();
    expect((await send()).status).not.toBe(503);
  });
});

describe('the activation (Media rule 9)', () => {
  it('prepares one collection a request, and writes of content and schema wait meanwhile', async () => {
    await collections('pages', 'posts', 'works');
    expect((await advance()).data).toMatchObject({
      outcome: 'activating',
      processedCollections: 1,
      activation: { state: 'activating', collectionCursor: 'pages', attemptCount: 1, lastErrorCode: null },
    });

    const entry = await admin.post('/content/pages', { data: {} });
    expect(statusAndCode(entry)).toEqual(refused);
    expect(Number(entry.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(statusAndCode(await admin.post('/schema/collections', { slug: 'more', label: 'More' }))).toEqual(
      refused,
    );
    expect((await admin.get('/content/pages')).status).toBe(200);
    expect((await admin.get('/schema/collections')).status).toBe(200);

    expect((await proceed()).data).toMatchObject({
      activation: { state: 'activating', collectionCursor: 'posts' },
      progress: null,
      nextRequestInMs: 0,
    });
    expect(await oneWrite()).toEqual(refused);
    expect((await advance()).data).toMatchObject({ outcome: 'active', processedCollections: 1 });
    expect(await oneWrite()).toEqual([201]);
  });

  it('keeps those out who may not write, as always', async () => {
    await collections('pages', 'posts');
    await advance();
    const reader = await site.as('subscriber');
    expect(statusAndCode(await reader.post('/content/pages', { data: {} }))).toEqual([403, 'FORBIDDEN']);
  });

  it('of another site does not concern this one', async () => {
    await collections('pages', 'posts');
    await advance();
    const other = await openSite();
    const neighbour = await other.as('admin');
    expect((await neighbour.post('/schema/collections', { slug: 'pages', label: 'Pages' })).status).toBe(201);
    expect((await neighbour.get(activationPath)).data.state).toBe('expanded');
    await other.close();
  });

  it('that is complete is left as it is by another request', async () => {
    await collections('pages');
    await advance();
    const before = (await admin.get(activationPath)).data;
    expect((await advance()).data).toEqual({
      outcome: 'active',
      processedCollections: 0,
      activation: before,
    });
    expect(await oneWrite()).toEqual([201]);
  });

  it('takes one step at a time: requests at once prepare each collection once', async () => {
    await collections('pages', 'posts', 'works');
    const answers = await Promise.all([advance(), advance(), advance(), advance()]);
    const busy = answers.filter(({ status }) => status === 409);
    for (const answer of busy) expect(statusAndCode(answer)).toEqual([409, 'MEDIA_USAGE_ACTIVATION_BUSY']);
    const done = answers.filter(({ status }) => status === 200);
    const processed = done.reduce((sum, { data }) => sum + data.processedCollections, 0);
    expect([done.length + busy.length, processed]).toEqual([4, Math.min(done.length, 3)]);
  });

  it('returns BUSY with the lease expiry while another request holds it', async () => {
    await collections('pages');
    await site.sql(
      `UPDATE usage_activation SET lease_token = 'another', lease_expires_at = now() + interval '1 minute'`,
    );
    const answer = await advance();
    const { leaseExpiresAt } = (await admin.get(activationPath)).data;
    expect([...statusAndCode(answer), answer.error.details]).toEqual([
      409,
      'MEDIA_USAGE_ACTIVATION_BUSY',
      { leaseExpiresAt },
    ]);
    expect(Date.parse(leaseExpiresAt)).toBeGreaterThan(Date.now());
  });

  it('resumes after a crashed request when its lease has expired', async () => {
    await collections('pages');
    await site.sql(
      `UPDATE usage_activation SET state = 'activating', lease_token = 'dead', lease_expires_at = now() - interval '1 second'`,
    );
    expect((await advance()).data).toMatchObject({ outcome: 'active', processedCollections: 1 });
  });

  it('that failed keeps writers out and its place, and goes on with one confirmed retry', async () => {
    await collections('pages', 'posts', 'works');
    await advance();
    // A collection whose table is gone cannot be prepared.
    await site.sql('ALTER TABLE content_posts RENAME TO elsewhere');
    expect(statusAndCode(await proceed())).toEqual([500, 'MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR']);
    const failed = { lastErrorCode: 'MEDIA_USAGE_ACTIVATION_FAILED', collectionCursor: 'pages' };
    expect((await admin.get(activationPath)).data).toMatchObject({ ...failed, leaseExpiresAt: null });
    expect(await oneWrite()).toEqual(refused);

    await site.sql('ALTER TABLE elsewhere RENAME TO content_posts');
    expect((await proceed()).data).toMatchObject({ activation: failed, nextRequestInMs: null });
    expect((await advance()).data).toMatchObject({
      processedCollections: 1,
      activation: { lastErrorCode: null, collectionCursor: 'posts' },
    });
    await finish();
    expect(await oneWrite()).toEqual([201]);
  });

  it('started by a newer version returns VERSION_MISMATCH', async () => {
    await site.sql('UPDATE usage_activation SET format = 2');
    for (const answer of [await admin.get(activationPath), await advance(), await proceed()])
      expect(statusAndCode(answer)).toEqual([409, 'MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH']);
  });
});

describe('the progress (Media rule 9)', () => {
  it('goes on after the activation until what was written before is indexed', async () => {
    await collections('pages', 'posts');
    for (const slug of ['pages', 'posts']) await admin.post(`/content/${slug}`, { data: {} });
    await advance();
    await advance();
    // The worker is at it too.
    const { readyCollections, ...progress } = (await admin.get(progressPath)).data;
    expect(progress).toEqual({
      status: readyCollections === 2 ? 'ready' : 'indexing',
      totalCollections: 2,
    });
    const { last } = await finish();
    expect(last).toMatchObject({
      activation: { state: 'active' },
      progress: { status: 'ready', readyCollections: 2, totalCollections: 2 },
      nextRequestInMs: null,
    });
    expect((await admin.get(progressPath)).data).toEqual(last.progress);
  });

  it('can carry the whole activation', async () => {
    await collections('pages', 'posts', 'works');
    await advance();
    await finish();
    expect((await admin.get(activationPath)).data.state).toBe('active');
    expect(await oneWrite()).toEqual([201]);
  });

  it('takes an empty object for a body, and nothing in it', async () => {
    await advance();
    expect((await admin.post(progressPath, {})).status).toBe(200);
    expect(statusAndCode(await admin.post(progressPath, { more: 1 }))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
