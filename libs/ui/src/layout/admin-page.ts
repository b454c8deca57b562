import type { ScriptName } from '../assets/assets.js';
import { hiddenFields } from '../components/fields.js';
import { html, type Html } from '../html/html.js';
import { pagePaths } from '../routes/page-paths.js';
import { mark } from './mark.js';
import { renderPage } from './page.js';

/** Content of a page of the admin panel. */
export interface AdminPage {
  title: string;
  content: Html;
  /** Name of the site. */
  site: string;
  /** E-mail address of the signed-in user. */
  user: string;
  csrf: string;
  /** Whether the page has a sign-out button. */
  canSignOut: boolean;
  script?: ScriptName | undefined;
}

/** Renders a page of the admin panel: its header shows the site, the signed-in user and the sign-out button. */
export function renderAdminPage({ title, content, site, user, csrf, canSignOut, script }: AdminPage): string {
  const bar = html`<a class="skip" href="#main">Skip to the content</a>
    <header class="bar">
      <a class="brand" href="${pagePaths.home}">${mark}<span>${site}</span></a>
      <div class="who">
        <span class="email">${user}</span>
        ${canSignOut ? signOutForm(csrf) : undefined}
      </div>
    </header>`;
  return renderPage({ title, content, bar, script });
}

function signOutForm(csrf: string): Html {
  return html`<form method="post" action="${pagePaths.home}">
    ${hiddenFields({ csrf })}
    <button name="action" value="sign-out">Sign out</button>
  </form>`;
}
