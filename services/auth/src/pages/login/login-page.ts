import { html, type Html } from '@quire/http-server';
import {
  hiddenFields,
  notice,
  renderPage,
  passkeyButton,
  problem,
  textField,
  withoutScript,
} from '../../html/index.js';
import { paths } from '../page-guards.js';
import type { LoginOption } from '../../authentication/external-providers/index.js';
import { providerForms } from './provider-buttons.js';

export interface LoginPage {
  csrf: string;
  /** Path to go to afterwards, found to be one of this site; absent for the start page. */
  redirect: string | undefined;
  problem: string | undefined;
  /** What has been typed already. */
  email?: string;
  /** Whether a link has been asked for just now. */
  isLinkSent: boolean;
  /** Whether somebody who is signed in is to prove that they are there. */
  isAgain: boolean;
  /** Whether links can be mailed. */
  sendsMail: boolean;
  /** Whether people may make an account of themselves. */
  allowsSignups: boolean;
  offers: readonly LoginOption[];
}

/** The page on which users sign in. */
export function loginPage(login: LoginPage): string {
  const { csrf, redirect, sendsMail, allowsSignups, offers } = login;
  const content = html`${problem(login.problem)} ${login.isLinkSent ? linkSent : undefined}
    <form method="post" action="${paths.login}" novalidate data-login data-next="${redirect ?? paths.home}">
      ${hiddenFields({ csrf, redirect, again: login.isAgain ? '1' : undefined })}
      ${textField({
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        value: login.email,
        autocomplete: 'username webauthn',
        isWrong: login.email !== undefined && login.problem !== undefined,
        isFirst: true,
      })}
      <div class="actions stacked">
        ${passkeyButton('Sign in with a passkey', { hasAlternative: sendsMail })}
        ${sendsMail ? html`<button>E-mail me a link</button>` : undefined}
      </div>
      ${withoutScript('Signing in with a passkey needs JavaScript.')}
    </form>
    ${providerForms(offers, { redirect })}
    ${
      allowsSignups
        ? html`<p class="aside">No account yet? <a href="${paths.signup}">Make one</a></p>`
        : undefined
    }`;
  return renderPage({ title: login.isAgain ? 'Sign in again' : 'Sign in', content, script: 'login.js' });
}

const linkSent: Html = notice(
  'If there is an account with this address, a link is on its way to it. It works for 15 minutes.',
);
