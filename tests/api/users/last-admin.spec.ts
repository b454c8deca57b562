import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { identifier } from '@quire/database';
import { openSite, outcome, untilBlocked, type Answer, type Client, type Site } from '@quire/testing';
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
async function atOnce(...requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM users FOR UPDATE');
  const answers = Promise.all(requests.map((send) => send()));
  await untilBlocked(site, ['users'], requests.length);
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
const outcomes = (answers: Answer[]) => answers.map(outcome).sort();

describe('the last active administrator (contract 24)', () => {
  it('is left when two demote each other at the same moment: LAST_ADMIN', async () => {
    expect(outcomes(await atOnce(demote(ann, ben), demote(ben, ann)))).toEqual([
      [200, ''],
      [400, 'LAST_ADMIN'],
    ]);
    expect(await activeAdmins()).toBe(1);
  });

  it('is left when two disable each other at the same moment', async () => {
    expect(outcomes(await atOnce(disable(ann, ben), disable(ben, ann)))).toEqual([
      [200, ''],
      [400, 'LAST_ADMIN'],
    ]);
    expect(await activeAdmins()).toBe(1);
  });

  it('is left when one demotes the other, who disables the one', async () => {
    const answers = await atOnce(demote(ann, ben), disable(ben, ann));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await activeAdmins()).toBe(1);
  });

  it('keeps the role although the other one is disabled', async () => {
    await site.sql('UPDATE users SET disabled = true WHERE id = $1', [ann.id]);
    // The gateway still knows the disabled one: what they may do is found out where it is done.
    expect(outcome(await demote(ann, ben)())).toEqual([400, 'LAST_ADMIN']);
    expect(outcome(await disable(ann, ben)())).toEqual([400, 'LAST_ADMIN']);
  });

  it('does not disable themselves, as nobody does', async () => {
    expect(outcome(await disable(ann, ann)())).toEqual([400, 'VALIDATION_ERROR']);
    expect((await demote(ann, ben)()).status).toBe(200);
    expect(outcome(await disable(ann, ann)())).toEqual([400, 'LAST_ADMIN']);
  });

  it('does not hold up changes of those who are disabled or none', async () => {
    const eve = await newAdmin();
    expect((await disable(ann, eve)()).status).toBe(200);
    expect((await demote(ann, eve)()).status).toBe(200);
    expect((await demote(ann, ben)()).status).toBe(200);
    expect(await activeAdmins()).toBe(1);
  });
});

describe('an administrator who was demoted a moment ago', () => {
  it('changes nobody any more, although the request came in before: FORBIDDEN', async () => {
    const eve = await newAdmin();
    await site.sql('UPDATE users SET role = 10 WHERE id = $1', [ann.id]);
    const attempts = [
      demote(ann, eve),
      disable(ann, eve),
      () => ann.client.put(`/admin/users/${ann.id}`, { name: 'Still me' }),
      () => ann.client.post(`/admin/users/${eve.id}/enable`),
    ];
    for (const attempt of attempts) expect(outcome(await attempt())).toEqual([403, 'FORBIDDEN']);
    expect((await ben.client.get(`/admin/users/${eve.id}`)).data.item).toMatchObject({
      role: 50,
      disabled: false,
    });
    expect((await ben.client.get(`/admin/users/${ann.id}`)).data.item.name).toBeNull();
  });
});
