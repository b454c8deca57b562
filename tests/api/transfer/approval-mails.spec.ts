import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';

const site = useSite();
let agent: Client;
const addressOf = (name: string) => `${name}@${site.tenant}.example`;
const requestExport = async (comments: boolean, client = agent) =>
  (await callTool(client, 'site_export_start', { comments })).details?.['approvalId'] as string;

beforeAll(async () => {
  agent = await site.withScopes('admin', ['content:read']);
  await site.another('admin', 'ann');
  await site.another('editor', 'eve');
  const left = await site.another('admin', 'left');
  const { id } = (await left.get('/auth/me')).data as { id: string };
  const admin = await site.as('admin');
  expect((await admin.post(`/admin/users/${id}/disable`)).status).toBe(200);
});

describe('mail about a request to approve a transfer', () => {
  it('is sent once to every active administrator, and links to the page of the site', async () => {
    const id = await requestExport(true);
    expect(await requestExport(true)).toBe(id);
    for (const name of ['admin', 'ann']) {
      const mails = await site.mailsTo(addressOf(name));
      expect(mails.map(({ headers }) => headers['subject'])).toEqual([`Approve an export of ${site.host}?`]);
      expect(mails[0]?.link).toBe(`http://${site.host}/_cms/admin/settings/transfer`);
      expect(mails[0]?.text).toContain(`“${addressOf('admin')}” wants to export the whole content of`);
    }
    // Mails of a later request arrive after those of this one.
    await requestExport(false);
    expect(await site.mailsTo(addressOf('ann'), 2)).toHaveLength(2);
    for (const name of ['eve', 'left']) expect(await site.mailsTo(addressOf(name), 0)).toEqual([]);
  });

  it('contains the name of the token, and neither the token nor the id of the request', async () => {
    const other = await site.withScopes('admin', ['media:read']);
    const id = await requestExport(true, other);
    const [token] = await site.sql<{ name: string }>(
      `SELECT name FROM api_tokens WHERE id =
         (SELECT requested_by_token_id FROM transfer_approvals WHERE id = $1)`,
      [id],
    );
    const mail = (await site.mailsTo(addressOf('ann'), 3))[2];
    expect(mail?.text).toContain(`with the token “${token?.name}”.`);
    expect(`${mail?.text}${mail?.html}`).not.toContain(String(other.token));
    expect(`${mail?.text}${mail?.html}`).not.toContain(id);
  });

  it('is sent at most five times in five minutes to one administrator', async () => {
    for (const scope of ['schema:read', 'taxonomies:manage'])
      await requestExport(true, await site.withScopes('admin', [scope]));
    expect(await site.mailsTo(addressOf('ann'), 5)).toHaveLength(5);
    // The mails of a request are sent in the order of the users: a newer one gets the last mail.
    await site.another('admin', 'newer');
    await requestExport(true, await site.withScopes('admin', ['menus:manage']));
    expect(await site.mailsTo(addressOf('newer'))).toHaveLength(1);
    expect(await site.mailsTo(addressOf('ann'), 0)).toHaveLength(5);
  });
});
