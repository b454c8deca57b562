import {
  hiddenFields,
  html,
  pagePaths,
  problem,
  reauthenticationPath,
  renderPage,
  textField,
  withoutScript,
  type Html,
} from '@quire/ui';
import { scopeLabel, unverifiedClientNote } from '../authorize/consent-texts.js';
import type { DeviceRequest } from './device.operations.js';

const title = 'Connect a device';

/** The page for the code that the device shows. */
export function deviceCodePage(page: { csrf: string; code: string; problem?: string }): string {
  const content = html`${problem(page.problem)}
    <p>Enter the code that your device or application shows.</p>
    <form method="post" action="${pagePaths.device}">
      ${hiddenFields({ csrf: page.csrf })}
      ${textField({
        name: 'user_code',
        label: 'Code',
        value: page.code,
        placeholder: 'XXXX-XXXX',
        maxLength: 20,
        isRequired: true,
        isWrong: page.problem !== undefined,
        isFirst: true,
      })}
      <div class="actions stacked">
        <button class="main" name="action" value="ask">Continue</button>
      </div>
    </form>`;
  return renderPage({ title, content });
}

/** The page on which a user decides on a device. */
export function deviceDecisionPage(page: {
  csrf: string;
  user: string;
  device: DeviceRequest;
  problem?: string;
}): string {
  const { clientName, selfRegisteredAt, userCode, scopes, proof } = page.device;
  const application = clientName ?? 'An unregistered application';
  const content = html`${problem(page.problem)}
    <p><strong>${application}</strong> wants to use your account, <strong>${page.user}</strong>.</p>
    ${selfRegisteredAt === null ? undefined : unverifiedClientNote(selfRegisteredAt)}
    <p class="code"><span class="hint">Code</span> <code>${userCode}</code></p>
    <p>
      Continue only if your device shows this code now. A person who sent you a code could use your account.
    </p>
    ${scopeList(scopes)}
    <form method="post" action="${pagePaths.device}" data-confirm>
      ${hiddenFields({ csrf: page.csrf, user_code: userCode, credential: '' })} ${proofs[proof](userCode)}
      <div class="actions">
        <button name="action" value="deny">Deny</button>
        ${
          scopes.length > 0
            ? html`<button name="action" value="approve" class="main">Allow</button>`
            : undefined
        }
      </div>
    </form>`;
  const script = proof === 'passkey' ? 'consent.js' : undefined;
  return renderPage({ title: 'Allow this device?', content, script });
}

/** The note on the proof of presence that the decision needs. */
const proofs: Record<DeviceRequest['proof'], (userCode: string) => Html | undefined> = {
  none: () => undefined,
  passkey: () =>
    html`<input type="hidden" data-powerful />
      <p class="hint">Allowing this needs your passkey.</p>
      ${withoutScript('Using a passkey needs JavaScript.')}`,
  'sign-in': (userCode) =>
    html`<p class="hint">
      Allowing this needs a recent sign-in: you can
      <a href="${reauthenticationPath(`${pagePaths.device}?user_code=${userCode}`)}">sign in again</a>.
    </p>`,
};

function scopeList(scopes: readonly string[]): Html {
  if (scopes.length === 0) return html`<p>Your role allows nothing that it requests.</p>`;
  return html`<p>It will be able to:</p>
    <ul class="scopes">
      ${scopes.map((scope) => html`<li>${scopeLabel(scope)}</li>`)}
    </ul>`;
}

/** The page that confirms the decision. */
export function deviceDecidedPage(isApproved: boolean): string {
  const text = isApproved
    ? 'Your device is connected. You can close this page and continue there.'
    : 'The device was denied access. You can close this page.';
  const content = html`<p class="note done" role="status">${text}</p>
    <p class="actions"><a class="button" href="${pagePaths.home}">Go to the start page</a></p>`;
  return renderPage({ title: isApproved ? 'Device connected' : 'Device denied', content });
}
