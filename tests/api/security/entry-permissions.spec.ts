import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  statusAndCode,
  testRoles,
  useSite,
  type ApiResponse,
  type Client,
  type TestRole,
} from '@quire/testing';

const future = '2099-01-01T00:00:00Z';

const site = useSite();
let admin: Client;
const clients = new Map<TestRole, Client>();
const userIds = new Map<TestRole, string>();
let count = 0;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
  await site.collection({ slug: 'empty' });
  for (const role of testRoles) {
    clients.set(role, await site.as(role));
    userIds.set(role, `user-of-${role}`);
  }
  // Subscribers cannot create entries, so only the ids of the other roles are read from their entries.
  for (const role of testRoles.slice(1)) {
    const { item } = (await clientOf(role).post('/content/posts', { data: { title: `By ${role}` } })).data;
    userIds.set(role, item.authorId);
  }
});

function clientOf(role: TestRole): Client {
  const client = clients.get(role);
  if (!client) throw new Error(`There is no client of the ${role}`);
  return client;
}

type State = 'draft' | 'published' | 'trashed';

/** Creates an entry in a state, with an author of a role or without one. @returns its path */
async function entryOf(owner: TestRole | null, state: State): Promise<string> {
  count += 1;
  const { item } = (await admin.post('/content/posts', { data: { title: `Entry ${count}` } })).data;
  const path = `/content/posts/${item.id}`;
  await admin.put(path, { authorId: owner === null ? null : userIds.get(owner) });
  if (state === 'published') {
    await admin.post(`${path}/publish`);
    await admin.put(path, { data: { body: 'staged' }, slug: `staged-${count}` });
  }
  if (state === 'trashed') await admin.delete(path);
  return path;
}

interface Case {
  name: string;
  state: State;
  run: (client: Client, path: string) => Promise<ApiResponse>;
  /** Minimum roles for own entries, and for entries of others or without an author. */
  own: TestRole;
  any: TestRole;
}

const cases: Case[] = [
  {
    name: 'updateContent',
    state: 'draft',
    own: 'author',
    any: 'editor',
    run: (client, path) => client.put(path, { data: { body: 'x' } }),
  },
  {
    name: 'deleteContent',
    state: 'draft',
    own: 'author',
    any: 'editor',
    run: (client, path) => client.delete(path),
  },
  {
    name: 'publishContent',
    state: 'draft',
    own: 'author',
    any: 'editor',
    run: (client, path) => client.post(`${path}/publish`),
  },
  {
    name: 'unpublishContent',
    state: 'published',
    own: 'author',
    any: 'editor',
    run: (client, path) => client.post(`${path}/unpublish`),
  },
  {
    name: 'scheduleContent',
    state: 'draft',
    own: 'author',
    any: 'editor',
    run: (client, path) => client.post(`${path}/schedule`, { scheduledAt: future }),
  },
  {
    name: 'unscheduleContent',
    state: 'draft',
    own: 'author',
    any: 'editor',
    run: (client, path) => client.delete(`${path}/schedule`),
  },
  {
    name: 'duplicateContent',
    state: 'draft',
    own: 'author',
    any: 'editor',
    run: (client, path) => client.post(`${path}/duplicate`),
  },
  {
    name: 'restoreContent',
    state: 'trashed',
    own: 'author',
    any: 'editor',
    run: (client, path) => client.post(`${path}/restore`),
  },
  {
    name: 'permanentDeleteContent',
    state: 'trashed',
    own: 'admin',
    any: 'admin',
    run: (client, path) => client.delete(`${path}/permanent`),
  },
  {
    name: 'discardDraft',
    state: 'published',
    own: 'author',
    any: 'editor',
    run: (client, path) => client.post(`${path}/discard-draft`),
  },
  {
    name: 'compareContent',
    state: 'draft',
    own: 'contributor',
    any: 'contributor',
    run: (client, path) => client.get(`${path}/compare`),
  },
  {
    name: 'listRevisions',
    state: 'draft',
    own: 'contributor',
    any: 'contributor',
    run: (client, path) => client.get(`${path}/revisions`),
  },
  {
    name: 'getContent of a draft',
    state: 'draft',
    own: 'contributor',
    any: 'contributor',
    run: (client, path) => client.get(path),
  },
  {
    name: 'getContent of a published entry',
    state: 'published',
    own: 'subscriber',
    any: 'subscriber',
    run: (client, path) => client.get(path),
  },
  {
    name: 'getContentTranslations',
    state: 'published',
    own: 'subscriber',
    any: 'subscriber',
    run: (client, path) => client.get(`${path}/translations`),
  },
];

describe.each(cases)('$name', ({ state, run, own, any }) => {
  const isAtLeast = (role: TestRole, minRole: TestRole) =>
    testRoles.indexOf(role) >= testRoles.indexOf(minRole);
  const expectedStatuses = (name: string) =>
    name === 'subscriber' && state === 'draft' ? [403, 404] : [403];

  it.each(testRoles.slice(1))('own entry as %s', async (role) => {
    const response = await run(clientOf(role), await entryOf(role, state));
    if (isAtLeast(role, own)) expect([200, 201]).toContain(response.status);
    else expect(statusAndCode(response)).toEqual([403, 'FORBIDDEN']);
  });
  it.each(testRoles)('entry of another user or without an author as %s', async (role) => {
    const other: TestRole = role === 'editor' ? 'admin' : 'editor';
    for (const owner of [other, null]) {
      const response = await run(clientOf(role), await entryOf(owner, state));
      if (isAtLeast(role, any)) expect([200, 201]).toContain(response.status);
      else expect(expectedStatuses(role)).toContain(response.status);
    }
  });
});

describe('operations of a collection', () => {
  it.each<[string, TestRole, (client: Client) => Promise<ApiResponse>]>([
    ['listContent', 'subscriber', (client) => client.get('/content/posts')],
    ['createContent', 'contributor', (client) => client.post('/content/posts', { data: { title: 'Made' } })],
    ['listContentAuthors', 'contributor', (client) => client.get('/content/posts/authors')],
    ['listTrashedContent', 'contributor', (client) => client.get('/content/posts/trash')],
  ])('%s requires at least the role %s', async (_name, minRole, run) => {
    for (const role of testRoles) {
      const response = await run(clientOf(role));
      if (testRoles.indexOf(role) >= testRoles.indexOf(minRole))
        expect([200, 201]).toContain(response.status);
      else expect(statusAndCode(response)).toEqual([403, 'FORBIDDEN']);
    }
  });
});

describe('scopes', () => {
  const operations: [
    string,
    'content:read' | 'content:write',
    (client: Client, path: string) => Promise<ApiResponse>,
  ][] = [
    ['listContent', 'content:read', (client) => client.get('/content/posts')],
    ['listContentAuthors', 'content:read', (client) => client.get('/content/posts/authors')],
    ['listTrashedContent', 'content:read', (client) => client.get('/content/posts/trash')],
    ['getContent', 'content:read', (client, path) => client.get(path)],
    ['compareContent', 'content:read', (client, path) => client.get(`${path}/compare`)],
    ['getContentTranslations', 'content:read', (client, path) => client.get(`${path}/translations`)],
    ['listRevisions', 'content:read', (client, path) => client.get(`${path}/revisions`)],
    ['getRevision', 'content:read', (client) => client.get('/revisions/none')],
    ['createContent', 'content:write', (client) => client.post('/content/posts', { data: {} })],
    ['updateContent', 'content:write', (client, path) => client.put(path, { data: {} })],
    ['publishContent', 'content:write', (client, path) => client.post(`${path}/publish`)],
    ['unpublishContent', 'content:write', (client, path) => client.post(`${path}/unpublish`)],
    [
      'scheduleContent',
      'content:write',
      (client, path) => client.post(`${path}/schedule`, { scheduledAt: future }),
    ],
    ['unscheduleContent', 'content:write', (client, path) => client.delete(`${path}/schedule`)],
    ['duplicateContent', 'content:write', (client, path) => client.post(`${path}/duplicate`)],
    ['discardDraft', 'content:write', (client, path) => client.post(`${path}/discard-draft`)],
    ['restoreRevision', 'content:write', (client) => client.post('/revisions/none/restore')],
    ['deleteContent', 'content:write', (client, path) => client.delete(path)],
    ['restoreContent', 'content:write', (client, path) => client.post(`${path}/restore`)],
    ['permanentDeleteContent', 'content:write', (client, path) => client.delete(`${path}/permanent`)],
  ];

  it.each(operations)('allow %s only with %s', async (_name, requiredScope, run) => {
    const path = await entryOf('editor', 'draft');
    const responses = new Map<string, ApiResponse>();
    for (const scope of ['media:write', 'content:read', 'content:write', 'admin']) {
      responses.set(scope, await run(await site.withScopes('admin', [scope]), path));
    }
    for (const [scope, response] of responses) {
      if (scope === requiredScope || scope === 'admin') expect([200, 201, 404]).toContain(response.status);
      else expect(statusAndCode(response)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });
  it('do not grant a permission that the role lacks', async () => {
    const subscriber = await site.withScopes('subscriber', ['admin']);
    expect(statusAndCode(await subscriber.post('/content/posts', { data: {} }))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndCode(await subscriber.get('/content/posts/trash'))).toEqual([403, 'FORBIDDEN']);
  });
  it('are checked before the permission', async () => {
    const subscriber = await site.withScopes('subscriber', ['content:read']);
    expect(statusAndCode(await subscriber.post('/content/posts', { data: {} }))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
  });
  it('return 401 NOT_AUTHENTICATED for anonymous requests to every operation', async () => {
    const path = await entryOf('editor', 'published');
    for (const [, , run] of operations)
      expect(statusAndCode(await run(site.anonymous(), path))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});

describe('Contributor', () => {
  it('creates entries and reads drafts, but cannot edit, delete, duplicate or publish own entries', async () => {
    const contributor = clientOf('contributor');
    const { item } = (await contributor.post('/content/posts', { data: { title: 'For approval' } })).data;
    const path = `/content/posts/${item.id}`;
    expect((await contributor.get(path)).data.item.id).toBe(item.id);
    const attempts = [
      await contributor.put(path, { data: { title: 'x' } }),
      await contributor.delete(path),
      await contributor.post(`${path}/duplicate`),
      await contributor.post(`${path}/publish`),
      await contributor.post(`${path}/schedule`, { scheduledAt: future }),
      await contributor.post('/content/posts', { data: {}, translationOf: item.id, locale: 'de' }),
    ];
    for (const response of attempts) expect(statusAndCode(response)).toEqual([403, 'FORBIDDEN']);
    expect((await contributor.get(path)).data.item).toEqual(item);
  });
});

describe('Subscriber', () => {
  let path: string;
  let id: string;
  let draftPath: string;

  beforeEach(async () => {
    path = await entryOf('editor', 'published');
    id = path.split('/').at(-1) ?? '';
    draftPath = await entryOf('editor', 'draft');
  });

  it('lists only published entries for any status filter', async () => {
    const subscriber = clientOf('subscriber');
    const { items, total } = (await subscriber.get('/content/posts?limit=100')).data as {
      items: { status: string }[];
      total: number;
    };
    expect(items.length).toBeGreaterThan(0);
    expect(items.every(({ status }) => status === 'published')).toBe(true);
    expect(total).toBe(items.length);
    for (const status of ['published', 'draft', 'scheduled'])
      expect((await subscriber.get(`/content/posts?status=${status}&limit=100`)).data).toEqual({
        items,
        total,
      });
  });
  it('gets 404 NOT_FOUND for unpublished entries', async () => {
    const subscriber = clientOf('subscriber');
    for (const address of [draftPath, `${draftPath}/translations`])
      expect(statusAndCode(await subscriber.get(address))).toEqual([404, 'NOT_FOUND']);
    await admin.post(`${draftPath}/schedule`, { scheduledAt: future });
    expect(statusAndCode(await subscriber.get(draftPath))).toEqual([404, 'NOT_FOUND']);
    await admin.post(`${path}/unpublish`);
    expect(statusAndCode(await subscriber.get(path))).toEqual([404, 'NOT_FOUND']);
  });
  it('sees neither the values nor the slug nor the existence of a draft', async () => {
    const subscriber = clientOf('subscriber');
    const { item } = (await subscriber.get(path)).data;
    expect(item.data).not.toHaveProperty('body');
    const listed = (await subscriber.get('/content/posts?limit=100')).data.items.find(
      (one: { id: string }) => one.id === id,
    );
    for (const subscriberItem of [item, listed]) {
      for (const key of ['liveData', 'draftRevisionId']) expect(subscriberItem).not.toHaveProperty(key);
      expect(JSON.stringify(subscriberItem)).not.toContain('staged');
    }
    const stagedSlug = (await admin.get(`${path}/compare`)).data.draft._slug;
    expect(statusAndCode(await subscriber.get(`/content/posts/${stagedSlug}`))).toEqual([404, 'NOT_FOUND']);
    expect((await subscriber.get('/content/posts?q=staged')).data.total).toBe(0);
  });
  it('lists only published translations', async () => {
    const german = (
      await admin.post('/content/posts', { data: { title: 'Entwurf' }, translationOf: id, locale: 'de' })
    ).data.item;
    const translationIds = async (client: Client) =>
      (await client.get(`${path}/translations`)).data.translations.map((one: { id: string }) => one.id);
    expect(await translationIds(clientOf('subscriber'))).toEqual([id]);
    expect(await translationIds(clientOf('contributor'))).toEqual([german.id, id]);
  });
  it('resolves a slug among published entries', async () => {
    const draft = (await admin.post('/content/posts', { data: {}, slug: `two-${id}` })).data.item;
    const german = (await admin.post('/content/posts', { data: {}, slug: `two-${id}`, locale: 'de' })).data
      .item;
    await admin.post(`/content/posts/${german.id}/publish`);
    expect((await clientOf('subscriber').get(`/content/posts/two-${id}`)).data.item.id).toBe(german.id);
    expect((await clientOf('contributor').get(`/content/posts/two-${id}`)).data.item.id).toBe(draft.id);
  });
  it('gets 403 FORBIDDEN from editor-only views, also of published entries', async () => {
    const subscriber = clientOf('subscriber');
    const [revision] = (await admin.get(`${path}/revisions`)).data.items as { id: string }[];
    const views = [
      `${path}/compare`,
      `${path}/revisions`,
      '/content/posts/trash',
      '/content/posts/authors',
      `/revisions/${revision?.id ?? ''}`,
    ];
    for (const view of views) expect(statusAndCode(await subscriber.get(view))).toEqual([403, 'FORBIDDEN']);
  });
});
