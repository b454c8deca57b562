import type { Queryable } from '@quire/database';
import { generateLinkToken } from '../../../mail/links/index.js';
import { renderLinkMail, type Mail, type MailRequest } from '../../../mail/index.js';
import { inviteDays, inviteUrl } from '../invite-link.js';
import { isPending } from '../invites.repository.js';

/**
 * Gives an open invite its link, and makes the mail that brings it; null when the invite is used, withdrawn or over.
 */
export async function writeInviteMail(
  tx: Queryable,
  { email, origin }: Pick<MailRequest, 'email' | 'origin'>,
): Promise<Mail | null> {
  const { text, hash } = generateLinkToken();
  const given = await tx.query(
    `UPDATE invites SET token_hash = $2 WHERE email = $1 AND mailed AND ${isPending} RETURNING email`,
    [email, hash],
  );
  if (given.length === 0) return null;
  const { host } = new URL(origin);
  return renderLinkMail({
    to: email,
    subject: `You are invited to ${host}`,
    lead: `You are invited to join ${host}. Follow this link to make your account:`,
    label: 'Accept the invitation',
    link: inviteUrl(origin, text),
    note: `The link works once, for ${inviteDays} days. If you do not expect it, ignore this message.`,
  });
}
