import { describe, expect, it } from '@jest/globals';
import { eventually, statusAndCode, useSite } from '@quire/testing';

const site = useSite();
const addressOf = (name: string) => `${name}@${site.tenant}.example`;

/** A mail to a user that waits since an earlier process, which tried it so often. */
async function leave(name: string, { attempts = 0, minutesAgo = 1 } = {}): Promise<void> {
  await site.another('editor', name);
  await site.sql(
    `INSERT INTO pending_mails (id, kind, email, origin, attempts, due_at, created_at)
     VALUES ($1, 'magic-link', $2, $3, $4, now() - interval '1 minute', now() - $5 * interval '1 minute')`,
    [name, addressOf(name), `http://${site.host}`, attempts, minutesAgo],
  );
}

/** Asks for one more mail, and waits until it is there: those that were due before it are done with. */
async function passBy(name: string): Promise<void> {
  await site.another('editor', name);
  await site.anonymous().post('/auth/magic-link/send', { email: addressOf(name) });
  expect(await site.mailsTo(addressOf(name))).toHaveLength(1);
}

/** Looks until no mail to the address waits. */
async function waitUntilGone(name: string): Promise<unknown[]> {
  const find = () => site.sql('SELECT attempts FROM pending_mails WHERE email = $1', [addressOf(name)]);
  return eventually(find, ({ length }) => length === 0);
}

describe('pending mails', () => {
  it('of an earlier process are sent', async () => {
    await leave('left');
    await passBy('first');
    expect(await site.mailsTo(addressOf('left'))).toHaveLength(1);
    expect(await waitUntilGone('left')).toEqual([]);
  });

  it('older than an hour are deleted', async () => {
    await leave('stale', { minutesAgo: 61 });
    await passBy('second');
    expect(await waitUntilGone('stale')).toEqual([]);
    expect(await site.mailsTo(addressOf('stale'), 0)).toEqual([]);
  });

  it('are given up after the third attempt', async () => {
    await leave('refused', { attempts: 2 });
    await passBy('third');
    expect(await waitUntilGone('refused')).toEqual([]);
  });

  it('are sent once for concurrent requests', async () => {
    const asks = Array.from({ length: 4 }, (_, index) => `crowd${index}`);
    await Promise.all(asks.map((name) => site.another('editor', name)));
    await Promise.all(
      asks.map((name) => site.anonymous().post('/auth/magic-link/send', { email: addressOf(name) })),
    );
    await Promise.all(asks.map((name) => site.mailsTo(addressOf(name))));
    await passBy('fourth');
    for (const name of asks) expect(await site.mailsTo(addressOf(name))).toHaveLength(1);
  });

  it('are limited to a thousand', async () => {
    await site.sql(
      `INSERT INTO pending_mails (id, kind, email, origin, due_at)
       SELECT 'flood' || n, 'signup', 'a@nowhere.example', 'http://a.example', now() + interval '1 hour'
       FROM generate_series(1, 1000) AS n`,
    );
    const email = addressOf('overflow');
    await site.another('editor', 'overflow');
    expect((await site.anonymous().post('/auth/magic-link/send', { email })).status).toBe(200);
    const rows = await site.sql('SELECT id FROM pending_mails WHERE email = $1', [email]);
    expect(rows).toEqual([]);
    await site.sql('DELETE FROM pending_mails');
  });
});

describe('forms', () => {
  it('are accepted only by operations that declare them', async () => {
    const options = {
      rawBody: 'email=a%40site.example',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    const response = await site.anonymous().post('/auth/magic-link/send', undefined, options);
    expect(statusAndCode(response)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});
