/** Decides which writer renders the mail. */
export type MailKind =
  | 'magic-link'
  | 'invite'
  | 'signup'
  | 'comment'
  | 'passkey-added'
  | 'token-created'
  | 'application-authorised'
  | 'new-browser';

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

/** The object of a mail: an entry, or a passkey, token, application or browser of the recipient. */
export interface MailSubject {
  title: string;
  /** Path on the site's front end; empty for an object without a page. */
  path: string;
}
