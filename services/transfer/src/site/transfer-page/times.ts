import { html, type Html } from '@quire/ui';

const moments = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** A time of day and its date. @param iso ISO time */
export function time(iso: string): Html {
  return html`<time datetime="${iso}">${moments.format(new Date(iso))} UTC</time>`;
}
