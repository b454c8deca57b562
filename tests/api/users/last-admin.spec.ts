import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { identifier } from '@quire/database';
import {
  openSite,
  statusAndCode,
  waitUntilBlocked,
  type ApiResponse,
  type Client,
  type Site,
} from '@quire/testing';
import { tenantSchema } from '@quire/tenancy';
import pg from 'pg';

interface Admin {
  client: Client;
  id: string;
}

let site: Site;
/** Holds rows, so that requests meet in the order that a test wants. */
let holder: pg.Client;
let ann: Admin;
let ben: Admin;
let count = 0;

beforeAll(async () => {
  site = await openSite();
  const search = identifier(tenantSchema({ id: site.tenant }));
  holder = new pg.Client({
    connectionString: site.system.databaseUrl,
    options: `-c search_path=${search}`,
  });
  await holder.connect();
});
beforeEach(async () => {
  await site.sql('DELETE FROM users');
  [ann, ben] = [await newAdmin(), await newAdmin()];
});
afterAll(async () => {
  await holder.end();
  await site.close();
});

async function newAdmin(): Promise<Admin> {
  const client = await site.another('admin', `admin${(count += 1)}`);
  return { client, id: (await client.get('/auth/me')).data.id };
}

/** Lets requests come in and stand before the users, and then go on together. */
async function atOnce(...requests: (() => Promise<ApiResponse>)[]): Promise<ApiResponse[]> {
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM users FOR UPDATE');
  const answers = Promise.all(requests.map((send) => send()));
  await waitUntilBlocked(site, ['users'], requests.length);
  await holder.query('COMMIT');
  return answers;
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
const outcomes = (answers: ApiResponse[]) => answers.map(statusAndCode).sort();

describe('the last active administrator (contract 24)', () => {
  it('remains when two demote each other concurrently: LAST_ADMIN', async () => {
    expect(outcomes(await atOnce(demote(ann, ben), demote(ben, ann)))).toEqual([
      [200, ''],
      [400, 'LAST_ADMIN'],
    ]);
    expect(await activeAdmins()).toBe(1);
  });

  it('remains when two disable each other concurrently', async () => {
    expect(outcomes(await atOnce(disable(ann, ben), disable(ben, ann)))).toEqual([
      [200, ''],
      [400, 'LAST_ADMIN'],
    ]);
    expect(await activeAdmins()).toBe(1);
  });

  it('remains when one demotes the other while being disabled by them', async () => {
    const answers = await atOnce(demote(ann, ben), disable(ben, ann));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await activeAdmins()).toBe(1);
  });

  it('keeps the role although the other one is disabled', async () => {
    await site.sql('UPDATE users SET disabled = true WHERE id = $1', [ann.id]);
    // The gateway still knows the disabled one: what they may do is found out where it is done.
    expect(statusAndCode(await demote(ann, ben)())).toEqual([400, 'LAST_ADMIN']);
    expect(statusAndCode(await disable(ann, ben)())).toEqual([400, 'LAST_ADMIN']);
  });

  it('does not disable themselves, as nobody does', async () => {
    expect(statusAndCode(await disable(ann, ann)())).toEqual([400, 'VALIDATION_ERROR']);
    expect((await demote(ann, ben)()).status).toBe(200);
    expect(statusAndCode(await disable(ann, ann)())).toEqual([400, 'LAST_ADMIN']);
  });

  it('does not block changes of disabled users or other roles', async () => {
    const eve = await newAdmin();
    expect((await disable(ann, eve)()).status).toBe(200);
    expect((await demote(ann, eve)()).status).toBe(200);
    expect((await demote(ann, ben)()).status).toBe(200);
    expect(await activeAdmins()).toBe(1);
  });
});

describe('an administrator who was demoted a moment ago', () => {
  it('gets FORBIDDEN, also for a request that was already in progress', async () => {
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
