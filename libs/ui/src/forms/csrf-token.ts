import { randomBytes, timingSafeEqual } from 'node:crypto';
import { QuireError } from '@quire/errors';
import type { Cookies } from '@quire/http-server';
import { pagesPrefix } from '../routes/page-paths.js';

const randomByteCount = 32;
const tokenShape = /^[\w-]{43}$/;

/**
 * The CSRF token of forms: a cookie and a hidden field have the same value, so pages of other sites cannot submit them
 * (contract 4, CSRF). All open pages of a browser share it.
 */
export class CsrfToken {
  private readonly options: { path: string; sameSite: 'strict' };

  /** @param path path prefix of the forms' actions */
  constructor(
    private readonly name: string,
    path: string,
  ) {
    this.options = { path, sameSite: 'strict' };
  }

  /** Sets the token as a cookie. @returns the token for the form. */
  issue(cookies: Cookies): string {
    const current = cookies.get(this.name) ?? '';
    const token = tokenShape.test(current) ? current : randomBytes(randomByteCount).toString('base64url');
    cookies.set(this.name, token, this.options);
    return token;
  }

  /** Whether the submitted token matches the cookie (double submit). @param submitted value of the form's field */
  verify(cookies: Cookies, submitted: string | undefined): boolean {
    const expected = cookies.get(this.name);
    if (expected === undefined || submitted === undefined) return false;
    if (!tokenShape.test(expected) || !tokenShape.test(submitted)) return false;
    return timingSafeEqual(Buffer.from(expected), Buffer.from(submitted));
  }

  /** Deletes the cookie. */
  clear(cookies: Cookies): void {
    cookies.clear(this.name, this.options);
  }
}

/** The CSRF token of the forms below the pages' prefix. */
export const csrfToken = new CsrfToken('cms_admin_csrf', pagesPrefix);

/** @throws QuireError CSRF_REJECTED for a missing or wrong token of a form below the pages' prefix. */
export function assertCsrfToken(cookies: Cookies, submitted: string | undefined): void {
  if (!csrfToken.verify(cookies, submitted))
    throw new QuireError('CSRF_REJECTED', 'This form has expired: go back, reload the page and try again');
}
