import { describe, expect, it } from '@jest/globals';
import { eventually, statusAndCode, useSite } from '@quire/testing';

const site = useSite();
const addressOf = (name: string) => `${name}@${site.tenant}.example`;

/** Inserts a pending mail to a user, as an earlier process left it. */
async function insertPendingMail(name: string, { attempts = 0, minutesAgo = 1 } = {}): Promise<void> {
  await site.another('editor', name);
  await site.sql(
    `INSERT INTO cms_auth.pending_mails (tenant_id, id, kind, email, origin, attempts, due_at, created_at)
     VALUES ($1, $2, 'magic-link', $3, $4, $5, now() - interval '1 minute', now() - $6 * interval '1 minute')`,
    [site.tenant, name, addressOf(name), `http://${site.host}`, attempts, minutesAgo],
  );
}

/** Sends another mail and waits for it: earlier pending mails have been processed by then. */
async function waitForLaterMail(name: string): Promise<void> {
  await site.another('editor', name);
  await site.anonymous().post('/auth/magic-link/send', { email: addressOf(name) });
  expect(await site.mailsTo(addressOf(name))).toHaveLength(1);
}

/** Waits until no mail to the address is pending. @returns the pending ones */
async function waitUntilProcessed(name: string): Promise<unknown[]> {
  const find = () =>
    site.sql('SELECT attempts FROM cms_auth.pending_mails WHERE email = $1', [addressOf(name)]);
  return eventually(find, ({ length }) => length === 0);
}

describe('pending mails', () => {
  it('of a process that ended are sent by another one, without a further mail', async () => {
    await insertPendingMail('left');
    expect(await site.mailsTo(addressOf('left'))).toHaveLength(1);
    expect(await waitUntilProcessed('left')).toEqual([]);
  });

  it('older than an hour are deleted', async () => {
    await insertPendingMail('stale', { minutesAgo: 61 });
    expect(await waitUntilProcessed('stale')).toEqual([]);
    expect(await site.mailsTo(addressOf('stale'), 0)).toEqual([]);
  });

  it('are deleted after the third failed attempt', async () => {
    await insertPendingMail('bounced', { attempts: 2 });
    expect(await waitUntilProcessed('bounced')).toEqual([]);
  });

  it('are sent once each when 4 requests race', async () => {
    const names = Array.from({ length: 4 }, (_, index) => `crowd${index}`);
    await Promise.all(names.map((name) => site.another('editor', name)));
    await Promise.all(
      names.map((name) => site.anonymous().post('/auth/magic-link/send', { email: addressOf(name) })),
    );
    await Promise.all(names.map((name) => site.mailsTo(addressOf(name))));
    await waitForLaterMail('later');
    for (const name of names) expect(await site.mailsTo(addressOf(name))).toHaveLength(1);
  });

  it('are limited to 1000', async () => {
    await site.sql(
      `INSERT INTO cms_auth.pending_mails (tenant_id, id, kind, email, origin, due_at)
       SELECT $1, 'flood' || n, 'signup', 'a@nowhere.example', 'http://a.example', now() + interval '1 hour'
       FROM generate_series(1, 1000) AS n`,
      [site.tenant],
    );
    const email = addressOf('overflow');
    await site.another('editor', 'overflow');
    expect((await site.anonymous().post('/auth/magic-link/send', { email })).status).toBe(200);
    const rows = await site.sql('SELECT id FROM cms_auth.pending_mails WHERE email = $1', [email]);
    expect(rows).toEqual([]);
    await site.sql('DELETE FROM cms_auth.pending_mails WHERE tenant_id = $1', [site.tenant]);
  });
});

describe('POST with a form', () => {
  it('returns 415 for operations that do not declare forms', async () => {
    const options = {
      rawBody: 'email=a%40site.example',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    const response = await site.anonymous().post('/auth/magic-link/send', undefined, options);
    expect(statusAndCode(response)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});
