import { createTransport, type Transporter } from 'nodemailer';
import { Mailer, type Mail } from './mailer.js';

const connectTimeoutMs = 10_000;
const socketTimeoutMs = 20_000;
/** What would make more of a header or an address list than its one value. */
const control = /\p{Cc}/u;
const oneAddress = /^[^\s\p{Cc}<>,;:()"[\]\\@]+@[^\s\p{Cc}<>,;:()"[\]\\@]+$/u;

/** Names by which this machine reaches itself. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
/** Options of the transport that would turn encryption off beside `tls=none`. */
const replacedOptions = ['tls', 'requireTLS', 'ignoreTLS', 'opportunisticTLS'];

/** Sends by an SMTP server. */
export class SmtpMailer extends Mailer {
  readonly isConfigured = true;
  private readonly transport: Transporter;

  /**
   * @param url smtp://name:password@host:587, or smtps:// for TLS from the first byte. A server that offers no TLS gets
   * nothing, unless it is on this machine or the query says `tls=none`.
   * @param from address of the sender, with or without a name: `Site <site@example.com>`
   */
  constructor(
    url: string,
    private readonly from: string,
  ) {
    super();
    this.transport = createTransport({
      ...encryptionOf(url),
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: socketTimeoutMs,
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

function encryptionOf(text: string): { url: string; requireTLS: boolean } {
  const url = new URL(text);
  const requireTLS = !loopback.test(url.hostname) && url.searchParams.get('tls') !== 'none';
  for (const name of replacedOptions) url.searchParams.delete(name);
  return { url: url.href, requireTLS };
}
