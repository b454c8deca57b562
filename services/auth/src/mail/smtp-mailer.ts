import { createTransport, type Transporter } from 'nodemailer';
import { Mailer, type Mail } from './mailer.js';

const connectTimeoutMs = 10_000;
const socketTimeoutMs = 20_000;
/** Characters that could inject a header. */
const control = /\p{Cc}/u;
/** A single address without a display name: a list would have further recipients. */
const oneAddress = /^[^\s\p{Cc}<>,;:()"[\]\\@]+@[^\s\p{Cc}<>,;:()"[\]\\@]+$/u;

/** Host names of this machine. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
/** Parameters of the URL that could disable encryption; only `tls=none` is supported. */
const replacedOptions = ['tls', 'requireTLS', 'ignoreTLS', 'opportunisticTLS'];

/** Sends mails through an SMTP server. */
export class SmtpMailer extends Mailer {
  readonly isConfigured = true;
  private readonly transport: Transporter;

  /**
   * @param url smtp://name:password@host:587, or smtps:// for implicit TLS. Mails are sent without TLS only to a server
   *   on this machine, or with the parameter `tls=none`.
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

  /** @throws Error for an invalid recipient or subject, and when the server rejects the mail. */
  async send({ to, subject, text, html, from }: Mail): Promise<void> {
    if (!oneAddress.test(to)) throw new Error('The recipient is not one plain address');
    if (control.test(subject)) throw new Error('The subject is not one line');
    await this.transport.sendMail({
      from: from ? { name: from.name ?? '', address: from.address } : this.from,
      to: { name: '', address: to },
      subject,
      text,
      html,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  }
}

/** @returns the URL without `replacedOptions`, and whether TLS is required. */
function encryptionOf(text: string): { url: string; requireTLS: boolean } {
  const url = new URL(text);
  const requireTLS = !loopback.test(url.hostname) && url.searchParams.get('tls') !== 'none';
  for (const name of replacedOptions) url.searchParams.delete(name);
  return { url: url.href, requireTLS };
}
