import { html, mark, type Html } from '@quire/http-server';
import { hiddenFields, renderPage, type ScriptName } from '../../html/index.js';
import { paths } from '../page-guards.js';

export interface AdminPage {
  title: string;
  content: Html;
  /** Name of the site. */
  site: string;
  /** Who is signed in. */
  user: string;
  csrf: string;
  /** Whether signing out is done here. */
  canSignOut: boolean;
  script?: ScriptName;
}

/** A page of the admin panel: it tells whose site it is and who is signed in, and lets them out. */
export function renderAdminPage({ title, content, site, user, csrf, canSignOut, script }: AdminPage): string {
  const bar = html`<a class="skip" href="#main">Skip to the content</a>
    <header class="bar">
      <a class="brand" href="${paths.home}">${mark}<span>${site}</span></a>
      <div class="who">
        <span class="email">${user}</span>
        ${canSignOut ? signOutForm(csrf) : undefined}
      </div>
    </header>`;
  return renderPage({ title, content, bar, ...(script ? { script } : {}) });
}

function signOutForm(csrf: string): Html {
  return html`<form method="post" action="${paths.home}">
    ${hiddenFields({ csrf })}
    <button name="action" value="sign-out">Sign out</button>
  </form>`;
}
