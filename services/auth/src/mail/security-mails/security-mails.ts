import type { Queryable } from '@quire/database';
import type { AuditEvent, AuditObserver } from '../../audit/index.js';
import type { LinkOrigins } from '../links/index.js';
import type { MailQueue } from '../index.js';
import type { SecurityMailKind } from './write-security-mail.js';

/** An event that a user is notified of by mail, since another person may have caused it. */
interface Notice {
  kind: SecurityMailKind;
  userId: string;
  /** What it is called. */
  name: string;
}

/**
 * Puts mails to users into the queue, about each passkey and personal token that they get, each application that they
 * let in, and sign-ins with a browser that is new: an observer of the audit log.
 */
export function securityMails(mails: MailQueue, origins: LinkOrigins): AuditObserver {
  return async (tx, event) => {
    const { db, origin = null, principal } = event.by;
    if (!mails.isConfigured || db === undefined) return;
    const notice = await noticeOf(tx, event);
    if (!notice) return;
    const { kind, userId, name } = notice;
    const [user] = await tx.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
    if (!user) return;
    const subject = { title: name, path: '' };
    const request = { kind, email: user.email, origin: await origins.of({ origin }), subject };
    await mails.add(tx, { principal, db }, { ...request, sender: 'site' });
  };
}

async function noticeOf(tx: Queryable, event: AuditEvent): Promise<Notice | undefined> {
  const { action, actorId, userId = '', target } = event;
  const id = target?.id;
  switch (action) {
    case 'session.opened': {
      const { newBrowser } = event.details;
      return newBrowser === undefined || actorId === undefined
        ? undefined
        : { kind: 'new-browser', userId: actorId, name: newBrowser };
    }
    case 'credential.added':
      if (event.details.kind !== 'passkey') return undefined;
      return { kind: 'passkey-added', userId, name: await nameOf(tx, passkeyName, id) };
    case 'token.created':
      return { kind: 'token-created', userId, name: await nameOf(tx, tokenName, id) };
    case 'grant.made':
      return { kind: 'application-authorised', userId, name: await nameOf(tx, applicationName, id) };
    default:
      return undefined;
  }
}

const passkeyName = 'SELECT name FROM passkeys WHERE id = $1';
const tokenName = 'SELECT name FROM api_tokens WHERE id = $1';
const applicationName =
  'SELECT c.name FROM oauth_grants g LEFT JOIN oauth_clients c ON c.id = g.client_id WHERE g.id = $1';

/** @returns an empty text for what has no name. */
async function nameOf(tx: Queryable, statement: string, id: string | undefined): Promise<string> {
  const [row] = await tx.query<{ name: string | null }>(statement, [id]);
  return row?.name ?? '';
}
