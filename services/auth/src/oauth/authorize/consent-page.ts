import { html, pageHeaders, type Html } from '@quire/http-server';
import { hiddenFields, ownPage } from '../../html/index.js';
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
  const content = html`<p>
      You are signed in as <strong>${user}</strong>. The answer goes to <code>${redirectUri}</code>.
    </p>
    <form method="post" action="${address}">
      ${hiddenFields({ csrf })}
      ${scopes.length > 0 ? scopeBoxes(scopes) : html`<p>Your role allows nothing of what it asks for.</p>`}
      <div class="actions">
        <button name="action" value="deny">Deny</button>
        <button name="action" value="approve" class="main">Allow</button>
      </div>
    </form>`;
  return ownPage({ title: `Allow ${clientName} to use your account?`, content });
}

function scopeBoxes(scopes: readonly string[]): Html {
  const boxes = scopes.map(
    (scope) =>
      html`<label class="check">
        <input type="checkbox" name="scopes" value="${scope}" checked />
        <span>${scopeLabel(scope)}</span>
      </label>`,
  );
  return html`<fieldset>
    <legend>It asks to:</legend>
    ${boxes}
  </fieldset>`;
}

/**
 * The page's headers. Its form leads back to the application by a redirect, which may lead on: browsers hold all of that to
 * the page's policy.
 */
export function consentHeaders(redirectUri: string): Record<string, string> {
  const { protocol, origin, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return pageHeaders({ forms: "'self' https:" });
  // A policy cannot name an IPv6 address.
  return pageHeaders({ forms: hostname.startsWith('[') ? "'self' http:" : `'self' ${origin}` });
}
