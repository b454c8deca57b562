import { apiPrefix, isLocalPath, type Cookies } from '@quire/http-server';
import { CsrfToken } from '@quire/ui';

const path = `${apiPrefix}/auth/magic-link/verify`;
const redirectName = 'cms_link_redirect';
/** The lifetime of a link. */
const redirectSeconds = 15 * 60;

/** The token of the confirmation page's form. */
export const confirmationCsrfToken = new CsrfToken('cms_link_csrf', path);

/** Stores the path to redirect to after the login in the browser that requests a link; undefined clears it. */
export function setLinkRedirectCookie(cookies: Cookies, redirect: string | undefined): void {
  if (redirect === undefined) cookies.clear(redirectName, { path });
  else cookies.set(redirectName, redirect, { path, maxAgeSeconds: redirectSeconds });
}

/** @returns the path of this site that the browser stored when it requested its link. */
export function linkRedirect(cookies: Cookies): string | undefined {
  const redirect = cookies.get(redirectName);
  return redirect !== undefined && isLocalPath(redirect) ? redirect : undefined;
}
