export type MailKind =
  | 'magic-link'
  | 'invite'
  | 'signup'
  | 'comment'
  | 'passkey-added'
  | 'token-created'
  | 'application-authorised'
  | 'new-browser';

/** A mail that somebody asked for, before anybody has looked who that is. */
export interface MailRequest {
  kind: MailKind;
  email: string;
  /** Origin that links in the mail begin with. */
  origin: string;
  /** What the mail is about, where it is about more than its kind. */
  subject?: MailSubject | null;
}

/**
 * On whose word a mail goes out: anybody's, that of an administrator, or that of the site itself, which tells a user of
 * what was done in their name.
 */
export type MailSender = 'public' | 'admin' | 'site';

/** An entry of the site, or what something of a user's is called. */
export interface MailSubject {
  title: string;
  /** On the site's front end; empty where it has none. */
  path: string;
}
