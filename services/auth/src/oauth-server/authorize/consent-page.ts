import {
  hiddenFields,
  html,
  pageHeaders,
  problem,
  reauthenticationPath,
  renderPage,
  withoutScript,
  type Html,
} from '@quire/ui';
import type { ConsentDetails } from './operations/get-consent.js';
import { scopeLabel, unverifiedClientNote } from './consent-texts.js';

/** Content of the consent page and its form. */
export interface Consent extends ConsentDetails {
  /** Path and query of the request: the action of the form. */
  address: string;
  csrf: string;
  /** The error of a submitted decision. */
  problem?: string;
}

/** The page on which a user decides on the scopes of an application. */
export function consentPage(consent: Consent): string {
  const { clientName, redirectUri, user, scopes, address, csrf } = consent;
  const content = html`${problem(consent.problem)}
    ${consent.registeredAt === undefined ? undefined : unverifiedClient(consent.registeredAt, redirectUri)}
    <p>You are signed in as <strong>${user}</strong>. You will return to <code>${redirectUri}</code>.</p>
    <form method="post" action="${address}" data-confirm>
      ${hiddenFields({ csrf, credential: '' })}
      ${scopes.length > 0 ? scopeFields(consent) : html`<p>Your role allows nothing that it requests.</p>`}
      <div class="actions">
        <button name="action" value="deny">Deny</button>
        <button name="action" value="approve" class="main">Allow</button>
      </div>
    </form>`;
  const title = `Allow ${clientName} to use your account?`;
  return renderPage({ title, content, script: usesPasskey(consent) ? 'consent.js' : undefined });
}

/** Whether a requested scope needs a passkey. */
export function usesPasskey({
  sensitiveScopes,
  hasPasskeys,
}: Pick<ConsentDetails, 'sensitiveScopes' | 'hasPasskeys'>): boolean {
  return sensitiveScopes.length > 0 && hasPasskeys;
}

function unverifiedClient(registeredAt: string, redirectUri: string): Html {
  return html`${unverifiedClientNote(registeredAt)}
    <p>Allow it only if you know this address:</p>
    <p class="host">${new URL(redirectUri).host}</p>`;
}

function scopeFields({ scopes, sensitiveScopes, hasPasskeys, address }: Consent): Html {
  const otherScopes = scopes.filter((scope) => !sensitiveScopes.includes(scope));
  return html`${checkboxes('It requests permission to:', otherScopes, html`checked`)}
  ${checkboxes('It also requests sensitive permissions, which are optional:', sensitiveScopes, html`data-powerful`)}
  ${
    sensitiveScopes.length === 0
      ? undefined
      : hasPasskeys
        ? html`<p class="hint">Sensitive permissions need your passkey.</p>
            ${withoutScript('Using a passkey needs JavaScript.')}`
        : html`<p class="hint">
            Sensitive permissions need a recent sign-in: you can
            <a href="${reauthenticationPath(address)}">sign in again</a>.
          </p>`
  }`;
}

/** A group of checkboxes; undefined without scopes. @param state attribute of the checkboxes */
function checkboxes(legend: string, scopes: readonly string[], state: Html): Html | undefined {
  if (scopes.length === 0) return undefined;
  return html`<fieldset>
    <legend>${legend}</legend>
    ${scopes.map(
      (scope) =>
        html`<label class="check">
          <input type="checkbox" name="scopes" value="${scope}" ${state} />
          <span>${scopeLabel(scope)}</span>
        </label>`,
    )}
  </fieldset>`;
}

/**
 * The page's headers. The form's response redirects to the application, which may redirect again; browsers apply the
 * page's policy to all of these redirects.
 */
export function consentHeaders(consent: ConsentDetails): Record<string, string> {
  const { protocol, origin, hostname } = new URL(consent.redirectUri);
  const runsScript = usesPasskey(consent);
  if (protocol === 'https:') return pageHeaders({ runsScript, forms: "'self' https:" });
  // A policy cannot name an IPv6 address.
  return pageHeaders({
    runsScript,
    forms: hostname.startsWith('[') ? "'self' http:" : `'self' ${origin}`,
  });
}
