import { html, type Html } from '@quire/ui';

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What pages tell of an application that nobody vouches for. @param registeredAt ISO time */
export function unverifiedClientNote(registeredAt: string): Html {
  return html`<p class="note warning">
    This application registered itself on
    <time datetime="${registeredAt}">${days.format(new Date(registeredAt))}</time>. Nobody has checked its
    name.
  </p>`;
}
