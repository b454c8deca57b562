import { html } from '@quire/http-server';
import { hiddenFields, notice, renderPage, problem, textField } from '../../html/index.js';
import { paths } from '../page-guards.js';
import { newAccountPage, type NewAccountPage, type RegistrationFlow } from '../invite/invite-page.js';

export interface SignupRequest {
  csrf: string;
  problem?: string;
  email?: string;
  /** Whether a link has been asked for just now. */
  isLinkSent: boolean;
}

const signup: RegistrationFlow = {
  title: 'Make your account',
  lead: 'Your e-mail address lets you join this site.',
  start: '/_cms/api/auth/signup/register-options',
  finish: '/_cms/api/auth/signup/complete',
};

/** The page on which somebody asks for a link to make an account with. */
export function signupRequestPage({ csrf, problem: wrong, email, isLinkSent }: SignupRequest): string {
  const content = html`${problem(wrong)}
    ${
      isLinkSent
        ? notice('If this address may have an account, a link is on its way to it. It works for 15 minutes.')
        : undefined
    }
    <p>People of some organisations can join this site by themselves. We mail you a link.</p>
    <form method="post" action="${paths.signup}" novalidate>
      ${hiddenFields({ csrf })}
      ${textField({
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        value: email,
        autocomplete: 'email',
        isRequired: true,
        isWrong: wrong !== undefined,
        isFirst: true,
      })}
      <div class="actions stacked"><button class="main">E-mail me a link</button></div>
    </form>
    <p class="aside">You have an account? <a href="${paths.login}">Sign in</a></p>`;
  return renderPage({ title: 'Join this site', content });
}

/** The page of a site that nobody joins by themselves. */
export function signupClosedPage(): string {
  const content = html`<p>Nobody can join this site without an invitation. Ask an administrator for one.</p>
    <p class="actions"><a class="button" href="${paths.login}">Go to the login page</a></p>`;
  return renderPage({ title: 'Join this site', content });
}

/** The page on which somebody who followed their link makes their account. */
export function signupPage(account: NewAccountPage): string {
  return newAccountPage(signup, account);
}
