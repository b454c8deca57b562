import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client } from '@quire/testing';
import { addressesOf } from './support.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});
afterEach(() => site.sql('DELETE FROM cms_auth.pending_mails WHERE tenant_id = $1', [site.tenant]));

const addressOf = addressesOf(site);
const waiting = (email: string) =>
  site.sql('SELECT kind, is_by_admin FROM cms_auth.pending_mails WHERE email = $1 ORDER BY id', [email]);

/** Inserts mails that are due later, as after failures of the mail server. */
async function fill(count: number, { isByAdmin = false } = {}): Promise<void> {
  await site.sql(
    `INSERT INTO cms_auth.pending_mails (tenant_id, id, kind, email, origin, due_at, is_by_admin)
     SELECT $3, 'flood' || n, 'signup', 'a' || n || '@nowhere.example', 'http://a.example',
       now() + interval '1 hour', $2::boolean
     FROM generate_series(1, $1::integer) AS n`,
    [count, isByAdmin, site.tenant],
  );
}

describe('mail queue filled by anonymous requests', () => {
  it('silently drops further anonymous mails', async () => {
    await fill(800);
    await site.another('editor', 'ann');
    expect((await site.anonymous().post('/auth/magic-link/send', { email: addressOf('ann') })).status).toBe(
      200,
    );
    expect(await waiting(addressOf('ann'))).toEqual([]);
  });

  it('accepts invitations of administrators', async () => {
    await fill(800);
    expect((await admin.post('/auth/invite', { email: addressOf('first') })).status).toBe(200);
    expect(await site.mailsTo(addressOf('first'))).toHaveLength(1);
  });

  it('accepts recovery links of administrators', async () => {
    await fill(800);
    const id = (await (await site.another('editor', 'lost')).get('/auth/me')).data.id as string;
    expect((await admin.post(`/admin/users/${id}/send-recovery`)).status).toBe(200);
    expect(await site.mailsTo(addressOf('lost'))).toHaveLength(1);
  });
});

describe('mail queue filled by administrators', () => {
  it('returns 503 SERVICE_UNAVAILABLE for an invitation and does not create it', async () => {
    await fill(200, { isByAdmin: true });
    const email = addressOf('too-many');
    const response = await admin.post('/auth/invite', { email });
    expect([...statusAndCode(response), response.error.message]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      'The mail queue is full; try again later',
    ]);
    expect(await site.sql('SELECT email FROM invites WHERE email = $1', [email])).toEqual([]);
  });
});

describe('pending mails', () => {
  const insertPending = (kind: string, email: string) =>
    site.sql(
      `INSERT INTO cms_auth.pending_mails (tenant_id, id, kind, email, origin, due_at)
       VALUES ($1, $2, $3, $4, $5, now() + interval '1 hour')`,
      [site.tenant, `${kind}-${email}`, kind, email, `http://${site.host}`],
    );

  it('are deduplicated by kind and recipient', async () => {
    const email = addressOf('often');
    await site.another('editor', 'often');
    await insertPending('magic-link', email);
    for (let time = 0; time < 3; time += 1)
      expect((await site.anonymous().post('/auth/magic-link/send', { email })).status).toBe(200);
    expect(await waiting(email)).toEqual([{ kind: 'magic-link', is_by_admin: false }]);
    await site.anonymous().post('/auth/signup/request', { email });
    const links = await site.sql(
      "SELECT kind FROM cms_auth.pending_mails WHERE tenant_id = $1 AND kind = 'magic-link'",
      [site.tenant],
    );
    expect(links).toHaveLength(1);
  });

  it('are sent first when requested by administrators', async () => {
    const names = ['of-anonymous', 'of-an-admin'];
    for (const name of names) await site.another('editor', name);
    await site.sql(
      `INSERT INTO cms_auth.pending_mails (tenant_id, id, kind, email, origin, due_at, is_by_admin)
       SELECT $4, email, 'magic-link', email, $1, now(), email = $3
       FROM unnest(ARRAY[$2, $3]) AS email`,
      [`http://${site.host}`, ...names.map(addressOf), site.tenant],
    );
    await site.another('editor', 'waking');
    await site.anonymous().post('/auth/magic-link/send', { email: addressOf('waking') });
    for (const name of names) expect(await site.mailsTo(addressOf(name))).toHaveLength(1);
    const written = await site.sql<{ email: string }>(
      'SELECT email FROM magic_links WHERE email = ANY($1) ORDER BY expires_at',
      [names.map(addressOf)],
    );
    expect(written.map(({ email }) => email)).toEqual(names.map(addressOf).reverse());
  });

  it('get the priority of an administrator who requests them', async () => {
    const email = addressOf('raised');
    await insertPending('invite', email);
    expect((await admin.post('/auth/invite', { email })).status).toBe(200);
    expect(await waiting(email)).toEqual([{ kind: 'invite', is_by_admin: true }]);
  });
});
