import { escapeHtml } from '../html/index.js';
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
export function writeLinkMail({ to, subject, lead, label, link, note }: LinkMail): Mail {
  const paragraph = (content: string) => `<p>${content}</p>`;
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escapeHtml(subject)}</title></head><body>`,
    paragraph(escapeHtml(lead)),
    paragraph(`<a href="${escapeHtml(link)}">${escapeHtml(label)}</a>`),
    paragraph(escapeHtml(note)),
    '</body></html>',
  ].join('\n');
  return { to, subject, text: `${lead}\n\n${link}\n\n${note}\n`, html };
}
