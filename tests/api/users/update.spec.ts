import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client } from '@quire/testing';
import { expectEventually } from './support.js';

const site = useSite();
let admin: Client;
let ownId: string;
let count = 0;

beforeAll(async () => {
  admin = await site.signedIn('admin');
  await site.collection();
  ownId = (await admin.get('/auth/me')).data.id;
});

/** Creates a user with a token of every scope. */
async function createUser(role: 'admin' | 'editor' | 'author' = 'author') {
  const name = `person${(count += 1)}`;
  const client = await site.another(role, name);
  const { id } = (await client.get('/auth/me')).data as { id: string };
  const path = `/admin/users/${id}`;
  return { name, client, id, path, email: `${name}@${site.tenant}.example` };
}

describe('PUT /admin/users/{id} (contract 24)', () => {
  it('updates only the fields of the request', async () => {
    const { path, email } = await createUser();
    const renamed = await admin.put(path, { name: '  Ann Example ' });
    expect([renamed.status, renamed.data.item]).toMatchObject([
      200,
      { name: 'Ann Example', email, role: 30 },
    ]);
    const moved = await admin.put(path, { email: ' NEW.Ann@Site.Example ', role: '40' });
    expect(moved.data.item).toMatchObject({ name: 'Ann Example', email: 'new.ann@site.example', role: 40 });
    expect((await admin.get(path)).data.item).toMatchObject({ email: 'new.ann@site.example', role: 40 });
    expect((await admin.put(path, { name: '' })).data.item.name).toBeNull();
    expect((await admin.put(path, {})).data.item).toMatchObject({ email: 'new.ann@site.example', role: 40 });
  });

  it('marks a changed address as unverified and keeps the state of an unchanged one', async () => {
    const { id, path, email } = await createUser();
    await site.sql('UPDATE users SET email_verified = true WHERE id = $1', [id]);
    expect((await admin.put(path, { email: email.toUpperCase() })).data.item.emailVerified).toBe(true);
    expect((await admin.put(path, { email: `x${email}` })).data.item.emailVerified).toBe(false);
  });

  it('returns 409 EMAIL_IN_USE for the address of another user in any spelling', async () => {
    const [one, two] = [await createUser(), await createUser()];
    const response = await admin.put(one.path, { email: ` ${two.email.toUpperCase()}`, name: 'Thief' });
    expect(statusAndCode(response)).toEqual([409, 'EMAIL_IN_USE']);
    expect((await admin.get(one.path)).data.item).toMatchObject({ email: one.email, name: null });
  });

  it('assigns an address to one of two concurrent requests', async () => {
    const people = [await createUser(), await createUser()];
    const responses = await Promise.all(
      people.map(({ path }) => admin.put(path, { email: 'one@site.example' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it.each([
    ['an unknown role', { role: 35 }],
    ['a role by name', { role: 'admin' }],
    ['an invalid address', { email: 'nobody' }],
    ['an address that is too long', { email: `${'a'.repeat(250)}@b.example` }],
    ['a name that is too long', { name: 'x'.repeat(201) }],
    ['a name that cannot be stored', { name: 'a\u0000b' }],
    ['a name that is not a string', { name: 1 }],
  ])('returns 400 VALIDATION_ERROR for %s', async (_, body) => {
    const { path } = await createUser();
    expect(statusAndCode(await admin.put(path, body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 404 NOT_FOUND for an unknown id', async () => {
    expect(statusAndCode(await admin.put('/admin/users/nobody', { name: 'x' }))).toEqual([404, 'NOT_FOUND']);
  });

  it('returns SELF_ROLE_CHANGE for a new role of the caller and accepts the same role', async () => {
    const path = `/admin/users/${ownId}`;
    expect(statusAndCode(await admin.put(path, { role: 40, name: 'No' }))).toEqual([400, 'SELF_ROLE_CHANGE']);
    expect((await admin.put(path, { role: 50, name: 'Root' })).data.item).toMatchObject({ name: 'Root' });
  });

  it('applies a new role to active tokens at once and ends sessions', async () => {
    const { name, client, path } = await createUser('editor');
    const session = await site.signedIn('editor', name);
    const write = (caller: Client) => caller.post('/content/posts', { data: { title: 'x' } });
    for (const caller of [client, session]) expect((await write(caller)).status).toBe(201);
    await admin.put(path, { role: 10 });
    await expectEventually([403, 'FORBIDDEN'], () => write(client));
    const rejected: [number, string] = [401, 'NOT_AUTHENTICATED'];
    await expectEventually(rejected, () => write(session));
    const again = await site
      .withSession((await site.signedIn('subscriber', name)).session ?? '')
      .get('/auth/me');
    expect(again.data.role).toBe(10);
  });
});

describe('POST /admin/users/{id}/disable and /enable (contract 24)', () => {
  it('end sessions and reject tokens at once; enabling makes the tokens valid again', async () => {
    const { name, client, path } = await createUser('editor');
    const session = await site.signedIn('editor', name);
    const read = (caller: Client) => caller.get('/content/posts');
    for (const caller of [client, session]) expect((await read(caller)).status).toBe(200);

    const response = await admin.post(`${path}/disable`);
    expect([response.status, response.data]).toEqual([200, { success: true }]);
    await expectEventually([401, 'INVALID_TOKEN'], () => read(client));
    await expectEventually([403, 'ACCOUNT_DISABLED'], () => read(session));
    expect(statusAndCode(await read(session))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect((await admin.get(path)).data.item.disabled).toBe(true);

    expect((await admin.post(`${path}/enable`)).data).toEqual({ success: true });
    expect((await read(client)).status).toBe(200);
    expect(statusAndCode(await read(session))).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('end sessions that make no request before the user is enabled again', async () => {
    const { name, path } = await createUser();
    const session = await site.signedIn('author', name);
    for (const action of ['disable', 'enable']) await admin.post(`${path}/${action}`);
    const rejected = [401, 'NOT_AUTHENTICATED'] as const;
    await expectEventually(rejected, () => session.get('/content/posts'));
  });

  it('leave no session that is opened concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { name, path, id } = await createUser();
      const openings = [1, 2, 3].map(() => site.signedIn('author', name).catch(() => undefined));
      await Promise.all([admin.post(`${path}/disable`), ...openings]);
      await admin.post(`${path}/enable`);
      expect(await site.sql('SELECT 1 FROM sessions WHERE user_id = $1', [id])).toEqual([]);
    }
  });

  it('are idempotent', async () => {
    const { path } = await createUser();
    for (const action of ['disable', 'disable', 'enable', 'enable'])
      expect((await admin.post(`${path}/${action}`)).data).toEqual({ success: true });
  });

  it("return 400 VALIDATION_ERROR for the caller's own account", async () => {
    await createUser('admin');
    expect(statusAndCode(await admin.post(`/admin/users/${ownId}/disable`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect((await admin.get('/auth/me')).status).toBe(200);
  });

  it('returns 404 NOT_FOUND for an unknown id', async () => {
    for (const action of ['disable', 'enable'])
      expect(statusAndCode(await admin.post(`/admin/users/nobody/${action}`))).toEqual([404, 'NOT_FOUND']);
  });
});
