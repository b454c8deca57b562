/** The sender of mails, with a name that is shown beside the address. */
export interface Sender {
  name?: string | undefined;
  address: string;
}

/** A mail to one recipient. */
export interface Mail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Sender; that of the installation if absent. */
  from?: Sender | undefined;
}

/** Sends mails. */
export abstract class Mailer {
  abstract readonly isConfigured: boolean;
  /** Passes a mail on for delivery. @throws Error when the mail was not accepted. */
  abstract send(mail: Mail): Promise<void>;
}

/** The mailer of an installation without a mail server. */
export class NoMailer extends Mailer {
  readonly isConfigured = false;
  send(): Promise<void> {
    return Promise.reject(new Error('No mail server is configured'));
  }
}
