import { html } from '@quire/ui';
import type { Mail } from './mailer.js';

/** The texts of a mail with one link. */
interface LinkMail {
  to: string;
  subject: string;
  /** The purpose of the link. */
  lead: string;
  /** The text of the link. */
  label: string;
  link: string;
  /** The lifetime of the link, and advice for recipients who did not request the mail. */
  note: string;
}

/** Renders a mail with one link, as plain text and as HTML. */
export function renderLinkMail({ to, subject, lead, label, link, note }: LinkMail): Mail {
  const { text: message } = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>${subject}</title>
    </head>
    <body>
      <p>${lead}</p>
      <p><a href="${link}">${label}</a></p>
      <p>${note}</p>
    </body>
  </html>`;
  return { to, subject, text: `${lead}\n\n${link}\n\n${note}\n`, html: `<!doctype html>\n${message}\n` };
}
