import { html, type Html } from './html.js';
import { page, pageHeaders } from './page.js';
import { scopeLabel } from './scope-labels.js';

export interface Consent {
  clientName: string;
  redirectUri: string;
  /** E-mail address of the signed-in user. */
  user: string;
  /** What may be granted; each can be taken away. */
  scopes: readonly string[];
  /** Path and query of the request: the form goes back to it. */
  address: string;
  csrf: string;
}

/** The page on which a user decides what an application may do in his name. */
export function consentPage(consent: Consent): string {
  const { clientName, redirectUri, user, scopes, address, csrf } = consent;
  return page(
    `Allow ${clientName} to use your account?`,
    html`<p>You are signed in as <strong>${user}</strong>. The answer goes to <code>${redirectUri}</code>.</p>
      <form method="post" action="${address}">
        <input type="hidden" name="csrf" value="${csrf}" />
        ${scopes.length > 0 ? scopeBoxes(scopes) : html`<p>Your role allows nothing of what it asks for.</p>`}
        <div class="actions">
          <button name="action" value="deny">Deny</button>
          <button name="action" value="approve" class="main">Allow</button>
        </div>
      </form>`,
  );
}

function scopeBoxes(scopes: readonly string[]): Html {
  const boxes = scopes.map(
    (scope) =>
      html`<li>
        <label><input type="checkbox" name="scopes" value="${scope}" checked /> ${scopeLabel(scope)}</label>
      </li>`,
  );
  return html`<p>It asks to:</p>
    <ul>
      ${boxes}
    </ul>`;
}

/**
 * The page's headers. Its form leads back to the application by a redirect, which may lead on: browsers hold all of that to
 * the page's policy.
 */
export function consentHeaders(redirectUri: string): Record<string, string> {
  const { protocol, origin, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return pageHeaders("'self' https:");
  // A policy cannot name an IPv6 address.
  return pageHeaders(hostname.startsWith('[') ? "'self' http:" : `'self' ${origin}`);
}
