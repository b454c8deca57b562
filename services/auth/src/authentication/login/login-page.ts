import {
  hiddenFields,
  html,
  notice,
  pagePaths,
  passkeyButton,
  problem,
  renderPage,
  textField,
  withoutScript,
  type Html,
} from '@quire/ui';
import { providerForms, type LoginOption } from '../external-providers/index.js';

/** The data of the page. */
export interface LoginPage {
  csrf: string;
  /** Path of this site to return to; absent for the start page. */
  redirect: string | undefined;
  problem: string | undefined;
  /** The value of the field after a failed attempt. */
  email?: string;
  /** Whether a link has just been requested. */
  isLinkSent: boolean;
  /** Whether a signed-in user has to sign in again. */
  isAgain: boolean;
  /** Whether sign-in links can be mailed. */
  sendsLinks: boolean;
  /** Whether visitors may sign up. */
  allowsSignups: boolean;
  offers: readonly LoginOption[];
}

/** Renders the login page. */
export function loginPage(login: LoginPage): string {
  const { csrf, redirect, sendsLinks, allowsSignups, offers } = login;
  const content = html`${problem(login.problem)} ${login.isLinkSent ? linkSent : undefined}
    <form
      method="post"
      action="${pagePaths.login}"
      novalidate
      data-login
      data-next="${redirect ?? pagePaths.home}"
    >
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
        ${passkeyButton('Sign in with a passkey', { hasAlternative: sendsLinks })}
        ${sendsLinks ? html`<button>E-mail me a link</button>` : undefined}
      </div>
      ${withoutScript('Signing in with a passkey needs JavaScript.')}
    </form>
    ${providerForms(offers, { redirect })}
    ${
      allowsSignups
        ? html`<p class="aside">No account yet? <a href="${pagePaths.signup}">Create one</a></p>`
        : undefined
    }`;
  return renderPage({ title: login.isAgain ? 'Sign in again' : 'Sign in', content, script: 'login.js' });
}

const linkSent: Html = notice(
  'If there is an account with this address, a link is on its way to it. The link is valid for 15 minutes.',
);
