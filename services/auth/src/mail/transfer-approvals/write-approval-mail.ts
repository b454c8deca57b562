import type { Queryable } from '@quire/database';
import { isActiveAdminEmail } from '../../users/index.js';
import { quoted, renderLinkMail, type Mail, type MailRequest } from '../index.js';

const actions = {
  export: { noun: 'an export of', verb: 'export the whole content of' },
  import: { noun: 'an import into', verb: 'import a package into' },
} as const;

const times = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

/**
 * Writes the mail about a request to approve a site transfer. It contains no secret, and its link needs a session.
 * @returns null when no active administrator has the address any more, and when the request has expired.
 */
export async function writeApprovalMail(
  tx: Queryable,
  { email, origin, subject }: Pick<MailRequest, 'email' | 'origin' | 'subject'>,
): Promise<Mail | null> {
  const approval = subject?.approval;
  if (approval === undefined || Date.parse(approval.expiresAt) <= Date.now()) return null;
  if (!(await isActiveAdminEmail(tx, email))) return null;
  const { host } = new URL(origin);
  const { noun, verb } = actions[approval.action];
  const requester = quoted(approval.requestedBy).trim() || 'A deleted user';
  const token = quoted(subject?.title ?? '');
  return renderLinkMail({
    to: email,
    subject: `Approve ${noun} ${host}?`,
    lead: `${requester} wants to ${verb} ${host}, with ${token ? `the token${token}` : 'a token'}.`,
    label: 'Approve or deny the request',
    link: `${origin}${subject?.path ?? ''}`,
    note: `The request ends at ${times.format(new Date(approval.expiresAt))} UTC. Deny it if you do not know its reason.`,
  });
}
