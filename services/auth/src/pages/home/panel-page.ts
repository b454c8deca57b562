import { html, mark, type Html } from '@quire/http-server';
import { hiddenFields, ownPage, type ScriptName } from '../../html/index.js';
import { paths } from '../entrance.js';

export interface PanelPage {
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

/** A page of the admin panel: it tells whose site it is and who is signed in, and lets him out. */
export function panelPage({ title, content, site, user, csrf, canSignOut, script }: PanelPage): string {
  const bar = html`<a class="skip" href="#main">Skip to the content</a>
    <header class="bar">
      <a class="brand" href="${paths.home}">${mark}<span>${site}</span></a>
      <div class="who">
        <span class="email">${user}</span>
        ${canSignOut ? signOutForm(csrf) : undefined}
      </div>
    </header>`;
  return ownPage({ title, content, bar, ...(script ? { script } : {}) });
}

function signOutForm(csrf: string): Html {
  return html`<form method="post" action="${paths.home}">
    ${hiddenFields({ csrf })}
    <button name="action" value="sign-out">Sign out</button>
  </form>`;
}
