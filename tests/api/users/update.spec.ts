import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  openSite,
  statusAndCode,
  type ApiResponse,
  type Client,
  type Site,
} from '@quire/testing';

let site: Site;
let admin: Client;
let ownId: string;
let count = 0;

beforeAll(async () => {
  site = await openSite();
  admin = await site.signedIn('admin');
  await site.collection();
  ownId = (await admin.get('/auth/me')).data.id;
});
afterAll(() => site.close());

/** A new user with a token of every scope, and the way to change them. */
async function somebody(role: 'admin' | 'editor' | 'author' = 'author') {
  const name = `person${(count += 1)}`;
  const client = await site.another(role, name);
  const { id } = (await client.get('/auth/me')).data as { id: string };
  const path = `/admin/users/${id}`;
  return { name, client, id, path, email: `${name}@${site.tenant}.example` };
}

/** Asks again and again until the answer is another: a change has to reach every process. */
async function until(expected: [number, string], ask: () => Promise<ApiResponse>): Promise<[number, string]> {
  return statusAndCode(await eventually(ask, (answer) => String(statusAndCode(answer)) === String(expected)));
}

describe('updateUser (contract 24)', () => {
  it('updates the given fields only', async () => {
    const { path, email } = await somebody();
    const named = await admin.put(path, { name: '  Ann Example ' });
    expect([named.status, named.data.item]).toMatchObject([200, { name: 'Ann Example', email, role: 30 }]);
    const moved = await admin.put(path, { email: ' NEW.Ann@Site.Example ', role: '40' });
    expect(moved.data.item).toMatchObject({ name: 'Ann Example', email: 'new.ann@site.example', role: 40 });
    expect((await admin.get(path)).data.item).toMatchObject({ email: 'new.ann@site.example', role: 40 });
    expect((await admin.put(path, { name: '' })).data.item.name).toBeNull();
    expect((await admin.put(path, {})).data.item).toMatchObject({ email: 'new.ann@site.example', role: 40 });
  });

  it('marks a new address as unverified and leaves the same one as it was', async () => {
    const { id, path, email } = await somebody();
    await site.sql('UPDATE users SET email_verified = true WHERE id = $1', [id]);
    expect((await admin.put(path, { email: email.toUpperCase() })).data.item.emailVerified).toBe(true);
    expect((await admin.put(path, { email: `x${email}` })).data.item.emailVerified).toBe(false);
  });

  it('rejects the address of another user: EMAIL_IN_USE, in any spelling', async () => {
    const [one, two] = [await somebody(), await somebody()];
    const answer = await admin.put(one.path, { email: ` ${two.email.toUpperCase()}`, name: 'Thief' });
    expect(statusAndCode(answer)).toEqual([409, 'EMAIL_IN_USE']);
    expect((await admin.get(one.path)).data.item).toMatchObject({ email: one.email, name: null });
  });

  it('assigns an address once for concurrent updates', async () => {
    const people = [await somebody(), await somebody()];
    const answers = await Promise.all(
      people.map(({ path }) => admin.put(path, { email: 'one@site.example' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it.each([
    ['an unknown role', { role: 35 }],
    ['a role by name', { role: 'admin' }],
    ['no address', { email: 'nobody' }],
    ['an address that is too long', { email: `${'a'.repeat(250)}@b.example` }],
    ['a name that is too long', { name: 'x'.repeat(201) }],
    ['a name that cannot be stored', { name: 'a\u0000b' }],
    ['a name that is no text', { name: 1 }],
  ])('rejects %s', async (_, body) => {
    const { path } = await somebody();
    expect(statusAndCode(await admin.put(path, body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 404 for an unknown id', async () => {
    expect(statusAndCode(await admin.put('/admin/users/nobody', { name: 'x' }))).toEqual([404, 'NOT_FOUND']);
  });

  it('returns SELF_ROLE_CHANGE for the own role unless it stays the same', async () => {
    const path = `/admin/users/${ownId}`;
    expect(statusAndCode(await admin.put(path, { role: 40, name: 'No' }))).toEqual([400, 'SELF_ROLE_CHANGE']);
    expect((await admin.put(path, { role: 50, name: 'Root' })).data.item).toMatchObject({ name: 'Root' });
  });

  it('gives a role that holds at once for tokens that were just used, and ends sessions', async () => {
    const { name, client, path } = await somebody('editor');
    const session = await site.signedIn('editor', name);
    const write = (caller: Client) => caller.post('/content/posts', { data: { title: 'x' } });
    for (const caller of [client, session]) expect((await write(caller)).status).toBe(201);
    await admin.put(path, { role: 10 });
    expect(await until([403, 'FORBIDDEN'], () => write(client))).toEqual([403, 'FORBIDDEN']);
    const over: [number, string] = [401, 'NOT_AUTHENTICATED'];
    expect(await until(over, () => write(session))).toEqual(over);
    const again = await site
      .withSession((await site.signedIn('subscriber', name)).session ?? '')
      .get('/auth/me');
    expect(again.data.role).toBe(10);
  });
});

describe('disableUser (contract 24)', () => {
  it('ends sessions and stops tokens at once; enabling lets the tokens work again', async () => {
    const { name, client, path } = await somebody('editor');
    const session = await site.signedIn('editor', name);
    const read = (caller: Client) => caller.get('/content/posts');
    for (const caller of [client, session]) expect((await read(caller)).status).toBe(200);

    const answer = await admin.post(`${path}/disable`);
    expect([answer.status, answer.data]).toEqual([200, { success: true }]);
    expect(await until([401, 'INVALID_TOKEN'], () => read(client))).toEqual([401, 'INVALID_TOKEN']);
    expect(await until([403, 'ACCOUNT_DISABLED'], () => read(session))).toEqual([403, 'ACCOUNT_DISABLED']);
    expect(statusAndCode(await read(session))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect((await admin.get(path)).data.item.disabled).toBe(true);

    expect((await admin.post(`${path}/enable`)).data).toEqual({ success: true });
    expect((await read(client)).status).toBe(200);
    expect(statusAndCode(await read(session))).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('ends sessions for good that make no request until the user is enabled', async () => {
    const { name, path } = await somebody();
    const session = await site.signedIn('author', name);
    for (const action of ['disable', 'enable']) await admin.post(`${path}/${action}`);
    const refused = [401, 'NOT_AUTHENTICATED'] as const;
    expect(await until([...refused], () => session.get('/content/posts'))).toEqual(refused);
  });

  it('leaves no session opened concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { name, path, id } = await somebody();
      const openings = [1, 2, 3].map(() => site.signedIn('author', name).catch(() => undefined));
      await Promise.all([admin.post(`${path}/disable`), ...openings]);
      await admin.post(`${path}/enable`);
      expect(await site.sql('SELECT 1 FROM sessions WHERE user_id = $1', [id])).toEqual([]);
    }
  });

  it('is idempotent, like enabling', async () => {
    const { path } = await somebody();
    for (const action of ['disable', 'disable', 'enable', 'enable'])
      expect((await admin.post(`${path}/${action}`)).data).toEqual({ success: true });
  });

  it('is rejected for the own account', async () => {
    await somebody('admin');
    expect(statusAndCode(await admin.post(`/admin/users/${ownId}/disable`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect((await admin.get('/auth/me')).status).toBe(200);
  });

  it('returns 404 for an unknown id', async () => {
    for (const action of ['disable', 'enable'])
      expect(statusAndCode(await admin.post(`/admin/users/nobody/${action}`))).toEqual([404, 'NOT_FOUND']);
  });
});
