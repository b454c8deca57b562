import { html } from '@quire/http-server';
import {
  hiddenFields,
  renderPage,
  passkeyButton,
  problem,
  textField,
  withoutScript,
} from '../../html/index.js';
import { paths } from '../page-guards.js';
import type { LoginOption } from '../../authentication/external-providers/index.js';
import { providerForms } from '../login/provider-buttons.js';

export interface NewAccountPage {
  token: string;
  email: string;
  roleName: string;
  offers: readonly LoginOption[];
}

/** How somebody came to the page on which they make their account. */
export interface RegistrationFlow {
  title: string;
  lead: string;
  /** Below the API: where making the passkey begins, and where the account is made with it. */
  start: string;
  finish: string;
}

const invitation: RegistrationFlow = {
  title: 'Accept your invitation',
  lead: 'You are invited to join this site.',
  start: '/_cms/api/auth/invite/register-options',
  finish: '/_cms/api/auth/invite/complete',
};

/** The page on which somebody who is invited makes their account. */
export function invitePage(account: NewAccountPage): string {
  return newAccountPage(invitation, account);
}

/** The page on which somebody who came by a link makes their account. */
export function newAccountPage(
  flow: RegistrationFlow,
  { token, email, roleName, offers }: NewAccountPage,
): string {
  const content = html`${problem()}
    <p>${flow.lead}</p>
    <dl class="facts">
      <div>
        <dt>E-mail</dt>
        <dd>${email}</dd>
      </div>
      <div>
        <dt>Role</dt>
        <dd>${roleName.charAt(0) + roleName.slice(1).toLowerCase()}</dd>
      </div>
    </dl>
    <form method="post" data-start="${flow.start}" data-finish="${flow.finish}" data-next="${paths.home}">
      ${hiddenFields({ token })}
      ${textField({
        name: 'name',
        label: 'Your name',
        autocomplete: 'name',
        maximum: 200,
        isOptional: true,
        isFirst: true,
      })}
      <p class="hint">
        A passkey is your fingerprint, your face or the lock of your device, instead of a password.
      </p>
      <div class="actions stacked">${passkeyButton('Make a passkey and join')}</div>
      ${withoutScript('Making a passkey needs JavaScript: turn it on and reload this page.')}
    </form>
    ${providerForms(offers, { invite: token })}`;
  return renderPage({ title: flow.title, content, script: 'registration.js' });
}
