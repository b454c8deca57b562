import { createTransport, type Transporter } from 'nodemailer';
import { Mailer, type Mail } from './mailer.js';

const connectMs = 10_000;
const silenceMs = 20_000;
/** What would make more of a header or an address list than its one value. */
const control = /\p{Cc}/u;
const oneAddress = /^[^\s\p{Cc}<>,;:()"[\]\\@]+@[^\s\p{Cc}<>,;:()"[\]\\@]+$/u;

/** Sends by an SMTP server. */
export class SmtpMailer extends Mailer {
  readonly isConfigured = true;
  private readonly transport: Transporter;

  /**
   * @param url smtp://name:password@host:587, or smtps:// for TLS from the first byte
   * @param from address of the sender, with or without a name: `Site <site@example.com>`
   */
  constructor(
    url: string,
    private readonly from: string,
  ) {
    super();
    this.transport = createTransport({
      url,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silenceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** @throws Error for what is not one address or one line, and what the server refuses. */
  async send({ to, subject, text, html }: Mail): Promise<void> {
    if (!oneAddress.test(to)) throw new Error('The recipient is not one plain address');
    if (control.test(subject)) throw new Error('The subject is not one line');
    await this.transport.sendMail({
      from: this.from,
      to: { name: '', address: to },
      subject,
      text,
      html,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  }
}
