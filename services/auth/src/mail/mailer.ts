/** A message to one person. */
export interface Mail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mail. */
export abstract class Mailer {
  abstract readonly isConfigured: boolean;
  /** Hands a message over for delivery. @throws Error when it was not taken. */
  abstract send(mail: Mail): Promise<void>;
}

/** An installation without mail. */
export class NoMailer extends Mailer {
  readonly isConfigured = false;
  send(): Promise<void> {
    return Promise.reject(new Error('No mail server is configured'));
  }
}
