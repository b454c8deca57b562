import { apiPrefix, isLocalPath, type Cookies } from '@quire/http-server';
import { CsrfToken } from '@quire/ui';

const path = `${apiPrefix}/auth/magic-link/verify`;
const redirectName = 'cms_link_redirect';
/** As long as a link lasts. */
const redirectSeconds = 15 * 60;

/** The token of the confirmation page's form. */
export const confirmationCsrfToken = new CsrfToken('cms_link_csrf', path);

/** Remembers for the browser that asks for a link where it was going; undefined forgets where. */
export function setLinkRedirectCookie(cookies: Cookies, redirect: string | undefined): void {
  if (redirect === undefined) cookies.clear(redirectName, { path });
  else cookies.set(redirectName, redirect, { path, maxAgeSeconds: redirectSeconds });
}

/** Where the browser was going when it asked for its link: a path of this site. */
export function linkRedirect(cookies: Cookies): string | undefined {
  const redirect = cookies.get(redirectName);
  return redirect !== undefined && isLocalPath(redirect) ? redirect : undefined;
}
