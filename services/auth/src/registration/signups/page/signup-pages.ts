import { hiddenFields, html, notice, pagePaths, problem, renderPage, textField } from '@quire/ui';
import { newAccountPage, type NewAccountPage, type RegistrationFlow } from '../../link-pages/index.js';

/** Content of the page on which a visitor requests a link. */
interface SignupRequest {
  csrf: string;
  problem?: string;
  email?: string;
  /** Whether a link has just been requested. */
  isLinkSent: boolean;
}

const signup: RegistrationFlow = {
  title: 'Create your account',
  lead: 'You can join this site with your e-mail address.',
  start: '/_cms/api/auth/signup/register-options',
  finish: '/_cms/api/auth/signup/complete',
};

/** The page on which a visitor requests a link to create an account. */
export function signupRequestPage({ csrf, problem: wrong, email, isLinkSent }: SignupRequest): string {
  const content = html`${problem(wrong)}
    ${
      isLinkSent
        ? notice('If this address may have an account, a link is on its way to it. It works for 15 minutes.')
        : undefined
    }
    <p>Members of some organisations can sign up for this site. You receive a link by e-mail.</p>
    <form method="post" action="${pagePaths.signup}" novalidate>
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
    <p class="aside">Already have an account? <a href="${pagePaths.login}">Sign in</a></p>`;
  return renderPage({ title: 'Join this site', content });
}

/** The page of a site without signups. */
export function signupClosedPage(): string {
  const content = html`<p>This site can only be joined by invitation. Ask an administrator for one.</p>
    <p class="actions"><a class="button" href="${pagePaths.login}">Go to the login page</a></p>`;
  return renderPage({ title: 'Join this site', content });
}

/** The page behind the link, on which the visitor creates their account. */
export function signupPage(account: NewAccountPage): string {
  return newAccountPage(signup, account);
}
