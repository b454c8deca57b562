import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCommentedEntry, openSite, PageBrowser, type ApiResponse, type Site } from '@quire/testing';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const optionsFrom = (forwardedFor: string) =>
  site.anonymous().post('/auth/passkey/options', undefined, { headers: { 'x-forwarded-for': forwardedFor } });
const inTurn = async (count: number, send: (number: number) => Promise<ApiResponse>) => {
  const statuses: number[] = [];
  for (let number = 1; number <= count; number += 1) statuses.push((await send(number)).status);
  return statuses;
};
const tenThenRefused = [...Array.from({ length: 10 }, () => 200), 429, 429];

describe('the address by which a client is counted, behind a proxy that appends it (decision 54)', () => {
  it('is not what the client writes before it', async () => {
    const statuses = await inTurn(12, (number) => optionsFrom(`203.0.113.${number}, 203.0.113.200`));
    expect(statuses).toEqual(tenThenRefused);
    expect((await optionsFrom('203.0.113.200, 203.0.113.201')).status).toBe(200);
  });

  it('is that of the connection when the entry is unreadable, and no share of a larger allowance', async () => {
    const statuses = await inTurn(12, (number) => optionsFrom(`203.0.113.9, nonsense${number}`));
    expect(statuses).toEqual(tenThenRefused);
  });

  it('is the /48 network of IPv6 as well, with sixteen times the limit', async () => {
    const statuses = await inTurn(17 * 9, (number) =>
      optionsFrom(`2001:db8:77:${(number % 17).toString(16)}::${number}`),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    const rest = await inTurn(17, (number) => optionsFrom(`2001:db8:77:${(number % 17).toString(16)}::1`));
    expect(rest.filter((status) => status === 200)).toHaveLength(7);
    expect((await optionsFrom('2001:db8:78::1')).status).toBe(200);
  }, 60_000);
});

describe('the client’s address that is stored (decision 54)', () => {
  it('is the entry of the proxy in the audit log', async () => {
    const admin = await site.as('admin');
    await admin.get('/auth/me', { headers: { 'x-forwarded-for': '203.0.113.1, 203.0.113.2' } });
    const { items } = (await admin.get('/admin/audit-log?action=token.used')).data as {
      items: { clientAddress: string | null }[];
    };
    const addresses = items.map(({ clientAddress }) => clientAddress);
    expect(addresses).toContain('203.0.113.2');
    expect(addresses).not.toContain('203.0.113.1');
  });

  it('is the entry of the proxy in a session', async () => {
    await site.as('author');
    const email = `author@${site.tenant}.example`;
    await site.anonymous().post('/auth/magic-link/send', { email });
    const [mail] = await site.mailsTo(email);
    const link = new URL(String(mail?.link));
    const browser = new PageBrowser(site);
    await browser.open(link.pathname + link.search);
    await browser.send({}, { headers: { 'x-forwarded-for': '203.0.113.1, 203.0.113.3' } });
    const { items } = (await site.withSession(browser.cookie('cms_session') ?? '').get('/auth/sessions'))
      .data as {
      items: { clientAddress: string | null }[];
    };
    expect(items).toEqual([expect.objectContaining({ clientAddress: '203.0.113.3' })]);
  });

  it('is the entry of the proxy in the hash of a comment', async () => {
    const commentedEntry = await createCommentedEntry(site);
    const send = async (forwardedFor: string) => {
      const body = { authorName: 'Ann', authorEmail: 'ann@guests.example', body: forwardedFor };
      const answer = await site
        .anonymous()
        .post(commentedEntry.path, body, { headers: { 'x-forwarded-for': forwardedFor } });
      const [row] = await site.sql<{ ip_hash: string }>('SELECT ip_hash FROM comments WHERE id = $1', [
        answer.data.id,
      ]);
      return row?.ip_hash;
    };
    const hash = await send('203.0.113.4, 203.0.113.5');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await send('203.0.113.6, 203.0.113.5')).toBe(hash);
    expect(await send('203.0.113.5, 203.0.113.4')).not.toBe(hash);
  });
});
