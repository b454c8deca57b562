import { describe, expect, it } from '@jest/globals';
import type { Queryable } from '@quire/database';
import { writeApprovalMail } from './write-approval-mail.js';

const email = 'ann@site.example';
const origin = 'https://site.example';
/** A database whose administrators have these addresses. */
const databaseWith = (...admins: string[]) =>
  ({ query: () => Promise.resolve(admins.map((address) => ({ email: address }))) }) as unknown as Queryable;

const inTenMinutes = new Date(Date.now() + 600_000).toISOString();
const requestOf = (changes: object = {}, title = 'Agent') => ({
  email,
  origin,
  subject: {
    title,
    path: '/_cms/admin/settings/transfer',
    approval: {
      action: 'export' as const,
      requestedBy: 'Bob',
      expiresAt: inTenMinutes,
      ...changes,
    },
  },
});
const write = (...args: Parameters<typeof requestOf>) =>
  writeApprovalMail(databaseWith(email), requestOf(...args));

describe('writeApprovalMail', () => {
  it('names the user, the token, the action and the end of the request, and links to the page', async () => {
    const mail = await write();
    expect(mail).toMatchObject({ to: email, subject: 'Approve an export of site.example?' });
    expect(mail?.text).toBe(
      [
        '“Bob” wants to export the whole content of site.example, with the token “Agent”.',
        'https://site.example/_cms/admin/settings/transfer',
        `The request ends at ${inTenMinutes.slice(11, 16)} UTC. Deny it if you do not know its reason.`,
      ].join('\n\n') + '\n',
    );
    expect(mail?.html).toContain('<a href="https://site.example/_cms/admin/settings/transfer">');
  });

  it('describes an import', async () => {
    const mail = await write({ action: 'import' });
    expect(mail?.subject).toBe('Approve an import into site.example?');
    expect(mail?.text).toContain('“Bob” wants to import a package into site.example, with');
  });

  it('describes a request whose user and token are deleted', async () => {
    const mail = await write({ requestedBy: '' }, '');
    expect(mail?.text).toContain('A deleted user wants to export');
    expect(mail?.text).toContain('with a token.');
  });

  it('escapes names, and has them in one line and not in the subject', async () => {
    const mail = await write({ requestedBy: '<b>Bob</b>\r\nBcc: eve@evil.example' }, '<i>x</i>');
    expect(mail?.text).toContain('“<b>Bob</b> Bcc: eve@evil.example” wants');
    expect(mail?.html).not.toMatch(/<b>|<i>/);
    expect(mail?.subject).not.toContain('Bob');
  });

  it('returns null for an expired request', async () => {
    expect(await write({ expiresAt: new Date(Date.now() - 1).toISOString() })).toBeNull();
  });

  it('returns null when the address belongs to no active administrator', async () => {
    expect(await writeApprovalMail(databaseWith('bob@site.example'), requestOf())).toBeNull();
  });
});
