export type MailKind =
  | 'magic-link'
  | 'invite'
  | 'signup'
  | 'comment'
  | 'passkey-added'
  | 'token-created'
  | 'application-authorised'
  | 'new-browser';

/** A requested mail, before its recipient is looked up. */
export interface MailRequest {
  kind: MailKind;
  email: string;
  /** Origin that links in the mail begin with. */
  origin: string;
  /** What the mail is about, where it is about more than its kind. */
  subject?: MailSubject | null;
}

/**
 * Who requests a mail: an anonymous client, an administrator, or the site itself, which notifies users of events on
 * their accounts.
 */
export type MailSender = 'public' | 'admin' | 'site';

/** An entry of the site, or what something of a user's is called. */
export interface MailSubject {
  title: string;
  /** On the site's front end; empty where it has none. */
  path: string;
}
