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
});
beforeEach(async () => {
  entry = await createEntry(admin);
  lock = `${entry.path}/lock`;
});

const minute = 60_000;
const free = { enabled: true, heldByCaller: false, holder: null };
/** Duration of the lease in a response, in milliseconds. */
const duration = ({ data }: ApiResponse) =>
  Date.parse(data.holder.expiresAt) - Date.parse(data.holder.acquiredAt);
/** Moves the lease into the past by this many minutes. */
const advance = (minutes: number) =>
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

describe('GET and POST /content/{collection}/{id}/lock (document 1, Edit lease; contract 8)', () => {
  it('return no holder at first', async () => {
    const response = await ann.get(lock);
    expect([response.status, response.data]).toEqual([200, free]);
  });

  it('acquire a lease of seven minutes, and return its holder to all editors', async () => {
    const acquired = await ann.post(lock);
    expect([acquired.status, acquired.data]).toMatchObject([200, { enabled: true, heldByCaller: true }]);
    expect(duration(acquired)).toBe(7 * minute);
    const seen = (await ben.get(lock)).data;
    expect(seen).toEqual({ ...acquired.data, heldByCaller: false });
    expect(seen.holder.userName).toContain('ann@');
    expect((await ann.get(lock)).data.heldByCaller).toBe(true);
  });

  it('return 200 with the holder to another user who acquires a lease', async () => {
    await ann.post(lock);
    const response = await ben.post(lock);
    expect([response.status, response.data.heldByCaller]).toEqual([200, false]);
    expect(response.data.holder.userName).toContain('ann@');
  });

  it('extend the lease when its holder acquires it again, keeping acquiredAt', async () => {
    await ann.post(lock);
    await advance(5);
    const again = await ann.post(lock);
    expect(await minutesLeft()).toBeGreaterThan(6.5);
    expect(duration(again)).toBeGreaterThan(11 * minute);
  });

  it('return a lease that PUT of its holder extended', async () => {
    await ann.post(lock);
    await advance(5);
    expect((await ann.put(entry.path, { data: { body: 'new' } })).status).toBe(200);
    expect(await minutesLeft()).toBeGreaterThan(6.5);
  });

  it('return a lease that PUT of its holder with overrideLock extended', async () => {
    await ann.post(lock);
    await advance(5);
    const saved = await ann.put(entry.path, { data: { body: 'new' }, overrideLock: true });
    expect(saved.status).toBe(200);
    expect(await minutesLeft()).toBeGreaterThan(6.5);
  });

  it('return a lease that PUT of another user with overrideLock did not extend', async () => {
    await ann.post(lock);
    await advance(5);
    await ben.put(entry.path, { data: { body: 'new' }, overrideLock: true });
    expect(await minutesLeft()).toBeLessThan(2.5);
  });

  it('let other users acquire the lease and write after seven minutes', async () => {
    await ann.post(lock);
    await advance(7);
    expect((await ben.get(lock)).data).toEqual(free);
    expect((await ben.put(entry.path, { data: { body: 'new' } })).status).toBe(200);
    const acquired = await ben.post(lock);
    expect(acquired.data.heldByCaller).toBe(true);
    expect(duration(acquired)).toBe(7 * minute);
  });

  it('return no holder after PUT of the holder of an expired lease', async () => {
    await ann.post(lock);
    await advance(7);
    await ann.put(entry.path, { data: { body: 'new' } });
    expect((await ann.get(lock)).data).toEqual(free);
  });

  it('transfer the lease with takeover; the former holder gets 409 ENTRY_LOCKED', async () => {
    await ann.post(lock);
    await advance(5);
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

  it('acquire the lease for one of 8 racing requests', async () => {
    const editors = await Promise.all(
      Array.from({ length: 8 }, (_, n) => site.another('editor', `racer${n}`)),
    );
    const responses = await Promise.all(editors.map((editor) => editor.post(lock)));
    expect(responses.filter(({ data }) => data.heldByCaller)).toHaveLength(1);
    expect(new Set(responses.map(({ data }) => data.holder.userId)).size).toBe(1);
  });

  it('use one lease per entry, for its id and its slug', async () => {
    const other = await createEntry(admin);
    await ann.post(`/content/posts/${entry.item.slug}/lock`);
    expect((await ann.get(lock)).data.heldByCaller).toBe(true);
    expect((await ann.get(`${other.path}/lock`)).data).toEqual(free);
  });

  it('return the name of the holder when the account has one', async () => {
    await site.sql("UPDATE users SET name = 'Ann Other' WHERE email LIKE 'ann@%'");
    expect(await nameOf(ann)).toBe('Ann Other');
    await site.sql("UPDATE users SET name = NULL WHERE email LIKE 'ann@%'");
  });
});

describe('DELETE /content/{collection}/{id}/lock (contract 8)', () => {
  it('releases the lease', async () => {
    await ann.post(lock);
    const response = await ann.delete(lock);
    expect([response.status, response.data]).toEqual([200, { released: true }]);
    expect((await ben.get(lock)).data).toEqual(free);
  });

  it('returns released: false without a lease, after its expiry and for the lease of another user', async () => {
    expect((await ann.delete(lock)).data).toEqual({ released: false });
    await ann.post(lock);
    expect((await ben.delete(lock)).data).toEqual({ released: false });
    expect((await ann.get(lock)).data.heldByCaller).toBe(true);
    await advance(7);
    expect((await ann.delete(lock)).data).toEqual({ released: false });
  });

  it('requires the token of the session that acquired the lease', async () => {
    await ann.post(lock, { token: 'tab-1' });
    expect((await ann.delete(`${lock}?token=tab-2`)).data).toEqual({ released: false });
    expect((await ann.delete(lock)).data).toEqual({ released: false });
    expect((await ann.get(lock)).data.heldByCaller).toBe(true);
    expect((await ann.delete(`${lock}?token=tab-1`)).data).toEqual({ released: true });
  });

  it('returns released: false for the token of a superseded session', async () => {
    await ann.post(lock, { token: 'tab-1' });
    await ann.post(lock, { token: 'tab-2' });
    expect((await ann.delete(`${lock}?token=tab-1`)).data).toEqual({ released: false });
    expect((await ann.delete(`${lock}?token=tab-2`)).data).toEqual({ released: true });
  });

  it('accepts any token for a lease without a token', async () => {
    await ann.post(lock);
    expect((await ann.delete(`${lock}?token=whatever`)).data).toEqual({ released: true });
  });

  it('requires the token after an extension without a token', async () => {
    await ann.post(lock, { token: 'tab-1' });
    await ann.post(lock);
    expect((await ann.delete(lock)).data).toEqual({ released: false });
  });

  it('requires the new holder after a takeover', async () => {
    await ann.post(lock, { token: 'tab-1' });
    await ben.post(lock, { takeover: true });
    expect((await ann.delete(`${lock}?token=tab-1`)).data).toEqual({ released: false });
    expect((await ben.delete(lock)).data).toEqual({ released: true });
  });
});

describe('a collection without edit locking (document 1, Entry edit lock)', () => {
  it('returns enabled: false and stores no lease', async () => {
    const open = await createEntry(admin, 'free');
    const disabled = { enabled: false, heldByCaller: false, holder: null };
    expect((await ann.post(`${open.path}/lock`)).data).toEqual(disabled);
    expect((await ann.get(`${open.path}/lock`)).data).toEqual(disabled);
    expect((await ann.delete(`${open.path}/lock`)).data).toEqual({ released: false });
    expect(await site.sql('SELECT 1 FROM entry_locks WHERE entry_id = $1', [open.id])).toEqual([]);
  });

  it('accepts writes as soon as locking is disabled', async () => {
    await site.collection({ slug: 'switched' });
    const locked = await createEntry(admin, 'switched');
    await ann.post(`${locked.path}/lock`);
    expect(statusAndCode(await ben.put(locked.path, { data: {} }))).toEqual([409, 'ENTRY_LOCKED']);
    await admin.put('/schema/collections/switched', { editLocking: false });
    expect((await ben.put(locked.path, { data: {} })).status).toBe(200);
  });
});

describe('permissions of the lock operations (contract 8: content:edit_own or edit_any)', () => {
  it.each([
    ['subscriber', 403],
    ['contributor', 403],
    ['author', 403],
    ['editor', 200],
    ['admin', 200],
  ] as const)('the role %s gets %i for the entry of another user', async (role, status) => {
    const client = await site.as(role);
    for (const response of [await client.get(lock), await client.post(lock), await client.delete(lock)])
      expect([response.status, response.error.code]).toEqual([status, status === 200 ? '' : 'FORBIDDEN']);
  });

  it('allow authors on their own entries', async () => {
    const author = await site.as('author');
    const own = await createEntry(author);
    expect((await author.post(`${own.path}/lock`)).data.heldByCaller).toBe(true);
  });

  it('require the scope content:read for GET and content:write for POST and DELETE', async () => {
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

  it('return 404 for unknown and trashed entries', async () => {
    for (const path of ['/content/posts/nothing/lock', '/content/nothing/x/lock'])
      for (const response of [await ann.get(path), await ann.post(path), await ann.delete(path)])
        expect(response.status).toBe(404);
    await entry.remove();
    expect(statusAndCode(await ann.post(lock))).toEqual([404, 'NOT_FOUND']);
  });

  it.each([{ token: '' }, { token: 'x'.repeat(129) }, { token: 1 }, { takeover: 'yes' }])(
    'return 400 VALIDATION_ERROR for %j',
    async (body) => {
      expect(statusAndCode(await ann.post(lock, body))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});

describe('deletion of leases', () => {
  it('happens with the permanent deletion of the entry', async () => {
    await admin.post(lock);
    await entry.remove();
    await admin.delete(`${entry.path}/permanent`);
    expect(await site.sql('SELECT 1 FROM entry_locks WHERE entry_id = $1', [entry.id])).toEqual([]);
  });

  it('happens with the deletion of the collection', async () => {
    await site.collection({ slug: 'deleted' });
    const deleted = await createEntry(admin, 'deleted');
    await ann.post(`${deleted.path}/lock`);
    await admin.delete('/schema/collections/deleted?force=true');
    expect(await site.sql('SELECT 1 FROM entry_locks WHERE entry_id = $1', [deleted.id])).toEqual([]);
  });
});
