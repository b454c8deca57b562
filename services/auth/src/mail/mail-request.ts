/** Decides which writer renders the mail. */
export type MailKind =
  | 'magic-link'
  | 'invite'
  | 'signup'
  | 'comment'
  | 'passkey-added'
  | 'token-created'
  | 'application-authorised'
  | 'new-browser'
  | 'transfer-approval';

/** A requested mail; the recipient is checked when the mail is written. */
export interface MailRequest {
  kind: MailKind;
  email: string;
  /** Origin of links in the mail. */
  origin: string;
  /** For kinds of mails that are about one object. */
  subject?: MailSubject | null;
}

/**
 * The source of a request: an anonymous client, an administrator, or the site, which notifies users of events on their
 * accounts.
 */
export type MailSender = 'public' | 'admin' | 'site';

/** The object of a mail: an entry; a passkey, token, application or browser of the recipient; a requesting token. */
export interface MailSubject {
  title: string;
  /** Path of its page on the site; empty for an object without a page. */
  path: string;
  /** Of the mail about a request to approve a site transfer. */
  approval?: ApprovalSubject;
}

/** The request that a mail to administrators is about. */
export interface ApprovalSubject {
  action: 'export' | 'import';
  /** Name of the user of the token, or the address of a user without a name. */
  requestedBy: string;
  /** ISO time from which the request cannot be approved. */
  expiresAt: string;
}
