import { describe, expect, it } from '@jest/globals';
import { createCommentedEntry, PageBrowser, useSite, type ApiResponse } from '@quire/testing';

const site = useSite();

const optionsFrom = (forwardedFor: string) =>
  site.anonymous().post('/auth/passkey/options', undefined, { headers: { 'x-forwarded-for': forwardedFor } });
const sendInSequence = async (count: number, send: (number: number) => Promise<ApiResponse>) => {
  const statuses: number[] = [];
  for (let number = 1; number <= count; number += 1) statuses.push((await send(number)).status);
  return statuses;
};
const tenThenRejected = [...Array.from({ length: 10 }, () => 200), 429, 429];

describe('rate limit key behind a proxy that appends the client address (decision 54)', () => {
  it('is not an address that the client prepends', async () => {
    const statuses = await sendInSequence(12, (number) => optionsFrom(`203.0.113.${number}, 203.0.113.200`));
    expect(statuses).toEqual(tenThenRejected);
    expect((await optionsFrom('203.0.113.200, 203.0.113.201')).status).toBe(200);
  });

  it("is the connection's address for an unreadable entry, with the same limit", async () => {
    const statuses = await sendInSequence(12, (number) => optionsFrom(`203.0.113.9, nonsense${number}`));
    expect(statuses).toEqual(tenThenRejected);
  });

  it('is also the IPv6 /48 network, with 16 times the limit', async () => {
    const statuses = await sendInSequence(17 * 9, (number) =>
      optionsFrom(`2001:db8:77:${(number % 17).toString(16)}::${number}`),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    const rest = await sendInSequence(17, (number) =>
      optionsFrom(`2001:db8:77:${(number % 17).toString(16)}::1`),
    );
    expect(rest.filter((status) => status === 200)).toHaveLength(7);
    expect((await optionsFrom('2001:db8:78::1')).status).toBe(200);
  });
});

describe('stored client address (decision 54)', () => {
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
      const response = await site
        .anonymous()
        .post(commentedEntry.path, body, { headers: { 'x-forwarded-for': forwardedFor } });
      const [row] = await site.sql<{ ip_hash: string }>('SELECT ip_hash FROM comments WHERE id = $1', [
        response.data.id,
      ]);
      return row?.ip_hash;
    };
    const hash = await send('203.0.113.4, 203.0.113.5');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await send('203.0.113.6, 203.0.113.5')).toBe(hash);
    expect(await send('203.0.113.5, 203.0.113.4')).not.toBe(hash);
  });
});
