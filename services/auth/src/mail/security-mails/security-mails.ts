import type { Queryable } from '@quire/database';
import type { AuditEvent, AuditObserver } from '../../audit/index.js';
import { selectUserEmail } from '../../users/index.js';
import type { MailQueue } from '../index.js';
import type { LinkOrigins } from '../links/index.js';
import { selectApplicationName, selectPasskeyName, selectTokenName } from './security-mails.repository.js';
import type { SecurityMailKind } from './write-security-mail.js';

/** A notification of a user about an event that an attacker could have caused. */
interface Notice {
  kind: SecurityMailKind;
  userId: string;
  /** Name of the passkey, token, application or browser; empty for one without a name. */
  name: string;
}

/**
 * Creates the observer of the audit log that queues mails to users: about their new passkeys, personal tokens and
 * authorised applications, and about sign-ins from new browsers.
 */
export function securityMails(mails: MailQueue, origins: LinkOrigins): AuditObserver {
  return async (tx, event) => {
    const { db, origin = null, principal } = event.by;
    if (!mails.isConfigured || db === undefined) return;
    const notice = await noticeOf(tx, event);
    if (!notice) return;
    const { kind, userId, name } = notice;
    const email = await selectUserEmail(tx, userId);
    if (email === undefined) return;
    const subject = { title: name, path: '' };
    const request = { kind, email, origin: await origins.of({ origin }), subject };
    await mails.add(tx, { principal, db }, { ...request, sender: 'site' });
  };
}

/** @returns undefined for events without a mail. */
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
      return { kind: 'passkey-added', userId, name: await selectPasskeyName(tx, id) };
    case 'token.created':
      return { kind: 'token-created', userId, name: await selectTokenName(tx, id) };
    case 'grant.made':
      return { kind: 'application-authorised', userId, name: await selectApplicationName(tx, id) };
    default:
      return undefined;
  }
}
