import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
  type TestEntry,
} from '@quire/testing';

const site = useSite();
let admin: Client;
let ann: Client;
let ben: Client;
let entry: TestEntry;
let lock: string;

beforeAll(async () => {
  admin = await site.as('admin');
  [ann, ben] = [await site.another('editor', 'ann'), await site.another('editor', 'ben')];
  await site.collection();
  await site.collection({ slug: 'free' });
  await admin.put('/schema/collections/free', { editLocking: false });
  await admin.post('/taxonomies', { name: 'tag', label: 'Tags', collections: ['posts'] });
});
beforeEach(async () => {
  entry = await createEntry(admin);
  lock = `${entry.path}/lock`;
});

const minute = 60_000;
const free = { enabled: true, heldByCaller: false, holder: null };
/** How long the lease lasts after it was acquired, as the answer says. */
const duration = ({ data }: ApiResponse) =>
  Date.parse(data.holder.expiresAt) - Date.parse(data.holder.acquiredAt);
/** Lets the lease run, as if this many minutes had passed. */
const pass = (minutes: number) =>
  site.sql(
    `UPDATE entry_locks SET acquired_at = acquired_at - $2 * interval '1 minute',
       expires_at = expires_at - $2 * interval '1 minute' WHERE entry_id = $1`,
    [entry.id, minutes],
  );
const minutesLeft = async () => {
  const [row] = await site.sql<{ left: string }>(
    'SELECT extract(epoch FROM expires_at - now()) / 60 AS left FROM entry_locks WHERE entry_id = $1',
    [entry.id],
  );
  return Number(row?.left);
};
const nameOf = async (client: Client) => (await client.post(lock)).data.holder.userName;

describe('the edit lease (document 1, Edit lease; contract 8)', () => {
  it('has no holder at first', async () => {
    const response = await ann.get(lock);
    expect([response.status, response.data]).toEqual([200, free]);
  });

  it('is held for seven minutes by who acquires it, and everybody sees by whom', async () => {
    const acquired = await ann.post(lock);
    expect([acquired.status, acquired.data]).toMatchObject([200, { enabled: true, heldByCaller: true }]);
    expect(duration(acquired)).toBe(7 * minute);
    const seen = (await ben.get(lock)).data;
    expect(seen).toEqual({ ...acquired.data, heldByCaller: false });
    expect(seen.holder.userName).toContain('ann@');
    expect((await ann.get(lock)).data.heldByCaller).toBe(true);
  });

  it('is not taken from its holder by acquiring: the answer is 200 and names the holder', async () => {
    await ann.post(lock);
    const response = await ben.post(lock);
    expect([response.status, response.data.heldByCaller]).toEqual([200, false]);
    expect(response.data.holder.userName).toContain('ann@');
  });

  it('is extended when its holder acquires it again, and keeps the time of acquiring', async () => {
    await ann.post(lock);
    await pass(5);
    const again = await ann.post(lock);
    expect(await minutesLeft()).toBeGreaterThan(6.5);
    expect(duration(again)).toBeGreaterThan(11 * minute);
  });

  it('is extended when its holder saves', async () => {
    await ann.post(lock);
    await pass(5);
    expect((await ann.put(entry.path, { data: { body: 'new' } })).status).toBe(200);
    expect(await minutesLeft()).toBeGreaterThan(6.5);
  });

  it('is extended when its holder saves with overrideLock', async () => {
    await ann.post(lock);
    await pass(5);
    const saved = await ann.put(entry.path, { data: { body: 'new' }, overrideLock: true });
    expect(saved.status).toBe(200);
    expect(await minutesLeft()).toBeGreaterThan(6.5);
  });

  it('is not extended when somebody else writes with overrideLock', async () => {
    await ann.post(lock);
    await pass(5);
    await ben.put(entry.path, { data: { body: 'new' }, overrideLock: true });
    expect(await minutesLeft()).toBeLessThan(2.5);
  });

  it('is over after seven minutes: then others acquire it and write', async () => {
    await ann.post(lock);
    await pass(7);
    expect((await ben.get(lock)).data).toEqual(free);
    expect((await ben.put(entry.path, { data: { body: 'new' } })).status).toBe(200);
    const acquired = await ben.post(lock);
    expect(acquired.data.heldByCaller).toBe(true);
    expect(duration(acquired)).toBe(7 * minute);
  });

  it('is not revived by a save of its former holder', async () => {
    await ann.post(lock);
    await pass(7);
    await ann.put(entry.path, { data: { body: 'new' } });
    expect((await ann.get(lock)).data).toEqual(free);
  });

  it('is taken over on demand; the former holder sees it at the next refresh', async () => {
    await ann.post(lock);
    await pass(5);
    const taken = await ben.post(lock, { takeover: true });
    expect(taken.data.heldByCaller).toBe(true);
    expect(duration(taken)).toBe(7 * minute);
    const refreshed = await ann.post(lock);
    expect(refreshed.data.heldByCaller).toBe(false);
    expect(statusAndCode(await ann.put(entry.path, { data: { body: 'late' } }))).toEqual([
      409,
      'ENTRY_LOCKED',
    ]);
  });

  it('is acquired by one of many concurrent requests', async () => {
    const editors = await Promise.all(
      Array.from({ length: 8 }, (_, n) => site.another('editor', `racer${n}`)),
    );
    const responses = await Promise.all(editors.map((editor) => editor.post(lock)));
    expect(responses.filter(({ data }) => data.heldByCaller)).toHaveLength(1);
    expect(new Set(responses.map(({ data }) => data.holder.userId)).size).toBe(1);
  });

  it('is one for each entry, whatever it is addressed by', async () => {
    const other = await createEntry(admin);
    await ann.post(`/content/posts/${entry.item.slug}/lock`);
    expect((await ann.get(lock)).data.heldByCaller).toBe(true);
    expect((await ann.get(`${other.path}/lock`)).data).toEqual(free);
  });
});

describe('releasing the lease (contract 8)', () => {
  it('ends it', async () => {
    await ann.post(lock);
    const response = await ann.delete(lock);
    expect([response.status, response.data]).toEqual([200, { released: true }]);
    expect((await ben.get(lock)).data).toEqual(free);
  });

  it('is no error when nothing is held, or it is over, or somebody else’s', async () => {
    expect((await ann.delete(lock)).data).toEqual({ released: false });
    await ann.post(lock);
    expect((await ben.delete(lock)).data).toEqual({ released: false });
    expect((await ann.get(lock)).data.heldByCaller).toBe(true);
    await pass(7);
    expect((await ann.delete(lock)).data).toEqual({ released: false });
  });

  it('needs the token of the editing session that acquired it', async () => {
    await ann.post(lock, { token: 'tab-1' });
    expect((await ann.delete(`${lock}?token=tab-2`)).data).toEqual({ released: false });
    expect((await ann.delete(lock)).data).toEqual({ released: false });
    expect((await ann.get(lock)).data.heldByCaller).toBe(true);
    expect((await ann.delete(`${lock}?token=tab-1`)).data).toEqual({ released: true });
  });

  it('of a session that was superseded by another of the same user does nothing', async () => {
    await ann.post(lock, { token: 'tab-1' });
    await ann.post(lock, { token: 'tab-2' });
    expect((await ann.delete(`${lock}?token=tab-1`)).data).toEqual({ released: false });
    expect((await ann.delete(`${lock}?token=tab-2`)).data).toEqual({ released: true });
  });

  it('works with any token when it was acquired with none', async () => {
    await ann.post(lock);
    expect((await ann.delete(`${lock}?token=whatever`)).data).toEqual({ released: true });
  });

  it('keeps the token when the lease is extended without one', async () => {
    await ann.post(lock, { token: 'tab-1' });
    await ann.post(lock);
    expect((await ann.delete(lock)).data).toEqual({ released: false });
  });

  it('after a takeover is the new holder’s business alone', async () => {
    await ann.post(lock, { token: 'tab-1' });
    await ben.post(lock, { takeover: true });
    expect((await ann.delete(`${lock}?token=tab-1`)).data).toEqual({ released: false });
    expect((await ben.delete(lock)).data).toEqual({ released: true });
  });
});

describe('writes while somebody else holds the lease (contract 8)', () => {
  const scheduledAt = '2099-01-01T00:00:00Z';
  const restoreOldest = async (client: Client, body: object) => {
    const { items } = (await client.get(`${entry.path}/revisions`)).data;
    return client.post(`/revisions/${items.at(-1).id}/restore`, body);
  };
  const writes: [string, (client: Client, override: object) => Promise<ApiResponse>][] = [
    ['update', (client, o) => client.put(entry.path, { data: { body: 'x' }, ...o })],
    ['publish', (client, o) => client.post(`${entry.path}/publish`, o)],
    ['unpublish', (client, o) => client.post(`${entry.path}/unpublish`, o)],
    ['schedule', (client, o) => client.post(`${entry.path}/schedule`, { scheduledAt, ...o })],
    ['discard-draft', (client, o) => client.post(`${entry.path}/discard-draft`, o)],
    ['revision restore', restoreOldest],
    [
      'unschedule',
      (client, o) =>
        client.delete(`${entry.path}/schedule${'overrideLock' in o ? '?overrideLock=true' : ''}`),
    ],
    [
      'delete',
      (client, o) => client.delete(`${entry.path}${'overrideLock' in o ? '?overrideLock=true' : ''}`),
    ],
  ];
  /** Live, with a draft and a schedule, so that every write has something to do. */
  beforeEach(async () => {
    await entry.publish();
    await entry.put({ data: { body: 'staged' } });
    await entry.schedule(scheduledAt);
  });

  it.each(writes)('%s: 409 ENTRY_LOCKED naming the holder, and nothing changes', async (_, write) => {
    const held = (await ann.post(lock)).data.holder;
    const before = await entry.get();
    const response = await write(ben, {});
    expect([...statusAndCode(response), response.error.details]).toEqual([409, 'ENTRY_LOCKED', held]);
    expect(response.error.message).toContain('ann@');
    expect(await entry.get()).toEqual(before);
  });

  it.each(writes)(
    '%s: who may not edit the entry is refused as ever, and not told who does',
    async (_, write) => {
      const author = await site.as('author');
      const { error: unheld } = await write(author, {});
      await ann.post(lock);
      const response = await write(author, {});
      expect([...statusAndCode(response), response.error]).toEqual([403, 'FORBIDDEN', unheld]);
      expect(unheld).not.toHaveProperty('details');
    },
  );

  it.each(writes)(
    '%s: goes through with overrideLock, and leaves the lease with its holder',
    async (name, write) => {
      await ann.post(lock);
      expect((await write(ben, { overrideLock: true })).status).toBe(200);
      if (name !== 'delete') expect((await ben.get(lock)).data.heldByCaller).toBe(false);
    },
  );

  it.each(writes)('%s: goes through for the holder', async (_, write) => {
    await ann.post(lock);
    expect((await write(ann, {})).status).toBe(200);
  });

  it('a stale _rev does not hide the lease', async () => {
    const { _rev } = await entry.get();
    await ann.post(lock);
    await ann.put(entry.path, { data: { body: 'saved' } });
    expect(statusAndCode(await ben.put(entry.path, { data: { body: 'x' }, _rev }))).toEqual([
      409,
      'ENTRY_LOCKED',
    ]);
  });

  it('overrideLock must be a boolean in the body, true or false in the query', async () => {
    expect(statusAndCode(await ben.put(entry.path, { overrideLock: 'true' }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect(statusAndCode(await ben.delete(`${entry.path}?overrideLock=1`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    await ann.post(lock);
    expect(statusAndCode(await ben.delete(`${entry.path}?overrideLock=false`))).toEqual([
      409,
      'ENTRY_LOCKED',
    ]);
  });

  it('setting terms is not held up', async () => {
    const { term } = (await admin.post('/taxonomies/tag/terms', { label: 'Free' })).data;
    await ann.post(lock);
    const response = await ben.post(`${entry.path}/terms/tag`, { termIds: [term.id] });
    expect([response.status, response.data.terms]).toMatchObject([200, [{ label: 'Free' }]]);
    expect((await ann.get(lock)).data.heldByCaller).toBe(true);
  });

  it('reading, duplicating and comparing are not held up', async () => {
    await ann.post(lock);
    expect((await ben.get(entry.path)).status).toBe(200);
    expect((await ben.get(`${entry.path}/compare`)).status).toBe(200);
    expect((await ben.post(`${entry.path}/duplicate`)).status).toBe(201);
  });

  it('an old lease does not hold up taking an entry out of the trash', async () => {
    await ann.post(lock);
    await ann.delete(entry.path);
    expect((await ben.post(`${entry.path}/restore`)).status).toBe(200);
  });
});

describe('a collection that has no edit locking (document 1, Entry edit lock)', () => {
  it('says so, stores nothing and refuses no write', async () => {
    const open = await createEntry(admin, 'free');
    const disabled = { enabled: false, heldByCaller: false, holder: null };
    expect((await ann.post(`${open.path}/lock`)).data).toEqual(disabled);
    expect((await ann.get(`${open.path}/lock`)).data).toEqual(disabled);
    expect((await ann.delete(`${open.path}/lock`)).data).toEqual({ released: false });
    expect(await site.sql('SELECT 1 FROM entry_locks WHERE entry_id = $1', [open.id])).toEqual([]);
  });

  it('lets writes through from the moment locking is switched off', async () => {
    await site.collection({ slug: 'switched' });
    const held = await createEntry(admin, 'switched');
    await ann.post(`${held.path}/lock`);
    expect(statusAndCode(await ben.put(held.path, { data: {} }))).toEqual([409, 'ENTRY_LOCKED']);
    await admin.put('/schema/collections/switched', { editLocking: false });
    expect((await ben.put(held.path, { data: {} })).status).toBe(200);
  });
});

describe('permissions of the lock operations (contract 8: content:edit_own or edit_any)', () => {
  it.each([
    ['subscriber', 403],
    ['contributor', 403],
    ['author', 403],
    ['editor', 200],
    ['admin', 200],
  ] as const)('a %s on an entry of somebody else: %i', async (role, status) => {
    const client = await site.as(role);
    for (const response of [await client.get(lock), await client.post(lock), await client.delete(lock)])
      expect([response.status, response.error.code]).toEqual([status, status === 200 ? '' : 'FORBIDDEN']);
  });

  it('allows authors on their own entries', async () => {
    const author = await site.as('author');
    const own = await createEntry(author);
    expect((await author.post(`${own.path}/lock`)).data.heldByCaller).toBe(true);
  });

  it('with the scopes content:read for reading and content:write for the rest', async () => {
    const [reader, writer] = [
      await site.withScopes('editor', ['content:read']),
      await site.withScopes('editor', ['content:write']),
    ];
    expect((await reader.get(lock)).status).toBe(200);
    expect(statusAndCode(await reader.post(lock))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(statusAndCode(await reader.delete(lock))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(statusAndCode(await writer.get(lock))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect((await writer.post(lock)).status).toBe(200);
  });

  it('returns 404 for entries that do not exist', async () => {
    for (const path of ['/content/posts/nothing/lock', '/content/nothing/x/lock'])
      for (const response of [await ann.get(path), await ann.post(path), await ann.delete(path)])
        expect(response.status).toBe(404);
    await entry.remove();
    expect(statusAndCode(await ann.post(lock))).toEqual([404, 'NOT_FOUND']);
  });

  it.each([{ token: '' }, { token: 'x'.repeat(129) }, { token: 1 }, { takeover: 'yes' }])(
    'with %j: 400 VALIDATION_ERROR',
    async (body) => {
      expect(statusAndCode(await ann.post(lock, body))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});

describe('deletion of leases', () => {
  it('is deleted with the entry', async () => {
    await admin.post(lock);
    await entry.remove();
    await admin.delete(`${entry.path}/permanent`);
    expect(await site.sql('SELECT 1 FROM entry_locks WHERE entry_id = $1', [entry.id])).toEqual([]);
  });

  it('is deleted with the collection', async () => {
    await site.collection({ slug: 'doomed' });
    const doomed = await createEntry(admin, 'doomed');
    await ann.post(`${doomed.path}/lock`);
    await admin.delete('/schema/collections/doomed?force=true');
    expect(await site.sql('SELECT 1 FROM entry_locks WHERE entry_id = $1', [doomed.id])).toEqual([]);
  });

  it('shows the name of a user that has one', async () => {
    await site.sql("UPDATE users SET name = 'Ann Other' WHERE email LIKE 'ann@%'");
    expect(await nameOf(ann)).toBe('Ann Other');
    await site.sql("UPDATE users SET name = NULL WHERE email LIKE 'ann@%'");
  });
});
