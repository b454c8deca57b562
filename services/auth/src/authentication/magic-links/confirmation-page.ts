import { apiPrefix, html } from '@quire/http-server';
import { hiddenFields, renderPage } from '../../html/index.js';

/** The page on which somebody says that they, not a scanner of links, followed the link. */
export function confirmationPage(fields: {
  token: string;
  redirect: string | undefined;
  csrf: string;
}): string {
  const content = html`<p>Select Continue to sign in with your link.</p>
    <form method="post" action="${apiPrefix}/auth/magic-link/verify">
      ${hiddenFields(fields)}
      <div class="actions stacked"><button class="main" autofocus>Continue</button></div>
    </form>`;
  return renderPage({ title: 'Sign in', content });
}
