import {
  hiddenFields,
  html,
  pagePaths,
  passkeyButton,
  problem,
  renderPage,
  textField,
  withoutScript,
} from '@quire/ui';
import { providerForms, type LoginOption } from '../../authentication/external-providers/index.js';

/** Content of the page: the link's token and the data of the future user. */
export interface NewAccountPage {
  token: string;
  email: string;
  roleName: string;
  offers: readonly LoginOption[];
}

/** The texts and the API paths of one kind of link. */
export interface RegistrationFlow {
  title: string;
  lead: string;
  /** API path that returns the passkey options. */
  start: string;
  /** API path that creates the account with the passkey. */
  finish: string;
}

/** The page behind a link on which a visitor creates their account. */
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
    <form method="post" data-start="${flow.start}" data-finish="${flow.finish}" data-next="${pagePaths.home}">
      ${hiddenFields({ token })}
      ${textField({
        name: 'name',
        label: 'Your name',
        autocomplete: 'name',
        maxLength: 200,
        isOptional: true,
        isFirst: true,
      })}
      <p class="hint">
        A passkey replaces a password: you sign in with your fingerprint, your face or the lock of your
        device.
      </p>
      <div class="actions stacked">${passkeyButton('Create a passkey and join')}</div>
      ${withoutScript('Creating a passkey needs JavaScript: turn it on and reload this page.')}
    </form>
    ${providerForms(offers, { invite: token })}`;
  return renderPage({ title: flow.title, content, script: 'registration.js' });
}
