import { apiPrefix } from '@quire/http-server';
import { hiddenFields, html, renderPage } from '@quire/ui';

/** The page behind a mailed link: its button confirms that a person followed the link, not a mail scanner. */
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
