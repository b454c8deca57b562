import { html } from '@quire/ui';
import type { Mail } from './mailer.js';

/** A message whose purpose is one link. */
export interface LinkMail {
  to: string;
  subject: string;
  /** What the link is for. */
  lead: string;
  /** What stands on the link. */
  label: string;
  link: string;
  /** How long it lasts, and what to do when the mail was not asked for. */
  note: string;
}

/** The message as plain text and as HTML. */
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
