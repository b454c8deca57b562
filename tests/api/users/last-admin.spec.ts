import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  statusAndCode,
  useRowLock,
  useSite,
  waitUntilBlocked,
  type ApiResponse,
  type Client,
} from '@quire/testing';

interface Admin {
  client: Client;
  id: string;
}

const site = useSite();
const rowLock = useRowLock(site);
let ann: Admin;
let ben: Admin;
let count = 0;

beforeEach(async () => {
  await site.sql('DELETE FROM users');
  [ann, ben] = [await newAdmin(), await newAdmin()];
});

async function newAdmin(): Promise<Admin> {
  const client = await site.another('admin', `admin${(count += 1)}`);
  return { client, id: (await client.get('/auth/me')).data.id };
}

/** Blocks requests at a lock on the users, then releases them together. */
async function race(...requests: (() => Promise<ApiResponse>)[]): Promise<ApiResponse[]> {
  await rowLock.acquire('SELECT 1 FROM users FOR UPDATE');
  const responses = Promise.all(requests.map((send) => send()));
  await waitUntilBlocked(site, ['users'], requests.length);
  await rowLock.release();
  return responses;
}

const demote =
  ({ client }: Admin, { id }: Admin) =>
  () =>
    client.put(`/admin/users/${id}`, { role: 10 });
const disable =
  ({ client }: Admin, { id }: Admin) =>
  () =>
    client.post(`/admin/users/${id}/disable`);
const activeAdmins = async () =>
  (await site.sql('SELECT id FROM users WHERE role = 50 AND NOT disabled')).length;
const outcomes = (responses: ApiResponse[]) => responses.map(statusAndCode).sort();

describe('last active administrator (contract 24)', () => {
  it('remains when two administrators demote each other concurrently: LAST_ADMIN', async () => {
    expect(outcomes(await race(demote(ann, ben), demote(ben, ann)))).toEqual([
      [200, ''],
      [400, 'LAST_ADMIN'],
    ]);
    expect(await activeAdmins()).toBe(1);
  });

  it('remains when two administrators disable each other concurrently', async () => {
    expect(outcomes(await race(disable(ann, ben), disable(ben, ann)))).toEqual([
      [200, ''],
      [400, 'LAST_ADMIN'],
    ]);
    expect(await activeAdmins()).toBe(1);
  });

  it('remains when one administrator demotes the other, who disables the first concurrently', async () => {
    const responses = await race(demote(ann, ben), disable(ben, ann));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await activeAdmins()).toBe(1);
  });

  it('cannot be demoted or disabled by a disabled administrator', async () => {
    await site.sql('UPDATE users SET disabled = true WHERE id = $1', [ann.id]);
    // The gateway still accepts the cached credential; the operation checks the current row.
    expect(statusAndCode(await demote(ann, ben)())).toEqual([400, 'LAST_ADMIN']);
    expect(statusAndCode(await disable(ann, ben)())).toEqual([400, 'LAST_ADMIN']);
  });

  it('cannot disable themselves', async () => {
    expect(statusAndCode(await disable(ann, ann)())).toEqual([400, 'VALIDATION_ERROR']);
    expect((await demote(ann, ben)()).status).toBe(200);
    expect(statusAndCode(await disable(ann, ann)())).toEqual([400, 'LAST_ADMIN']);
  });

  it('does not count disabled users or other roles', async () => {
    const eve = await newAdmin();
    expect((await disable(ann, eve)()).status).toBe(200);
    expect((await demote(ann, eve)()).status).toBe(200);
    expect((await demote(ann, ben)()).status).toBe(200);
    expect(await activeAdmins()).toBe(1);
  });
});

describe('concurrently demoted administrator', () => {
  it('gets FORBIDDEN, also for requests in progress', async () => {
    const eve = await newAdmin();
    await site.sql('UPDATE users SET role = 10 WHERE id = $1', [ann.id]);
    const attempts = [
      demote(ann, eve),
      disable(ann, eve),
      () => ann.client.put(`/admin/users/${ann.id}`, { name: 'Still me' }),
      () => ann.client.post(`/admin/users/${eve.id}/enable`),
    ];
    for (const attempt of attempts) expect(statusAndCode(await attempt())).toEqual([403, 'FORBIDDEN']);
    expect((await ben.client.get(`/admin/users/${eve.id}`)).data.item).toMatchObject({
      role: 50,
      disabled: false,
    });
    expect((await ben.client.get(`/admin/users/${ann.id}`)).data.item.name).toBeNull();
  });
});
