import { html } from '@quire/http-server';
import { hiddenFields, ownPage, passkeyButton, problem, textField, withoutScript } from '../../html/index.js';
import { paths } from '../entrance.js';
import type { LoginOffer } from '../../providers/index.js';
import { offerList } from '../login/offer-list.js';

export interface NewAccount {
  token: string;
  email: string;
  roleName: string;
  offers: readonly LoginOffer[];
}

/** How somebody came to the page on which he makes his account. */
export interface Way {
  title: string;
  lead: string;
  /** Below the API: where making the passkey begins, and where the account is made with it. */
  start: string;
  finish: string;
}

const invitation: Way = {
  title: 'Accept your invitation',
  lead: 'You are invited to join this site.',
  start: '/_cms/api/auth/invite/register-options',
  finish: '/_cms/api/auth/invite/complete',
};

/** The page on which somebody who is invited makes his account. */
export function invitePage(account: NewAccount): string {
  return newAccountPage(invitation, account);
}

/** The page on which somebody who came by a link makes his account. */
export function newAccountPage(way: Way, { token, email, roleName, offers }: NewAccount): string {
  const content = html`${problem()}
    <p>${way.lead}</p>
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
    <form method="post" data-start="${way.start}" data-finish="${way.finish}" data-next="${paths.home}">
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
    ${offerList(offers, { invite: token })}`;
  return ownPage({ title: way.title, content, script: 'registration.js' });
}
