import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Cookies } from '@quire/http-server';

const randomByteCount = 32;
const wellFormed = /^[\w-]{43}$/;

/**
 * The text that both a cookie and the forms of a browser's pages carry, so that no other page can send them (contract
 * 4, CSRF). Pages that are open at once share it.
 */
export class CsrfToken {
  private readonly options: { path: string; sameSite: 'strict' };

  /** @param path below which the forms are sent */
  constructor(
    private readonly name: string,
    path: string,
  ) {
    this.options = { path, sameSite: 'strict' };
  }

  /** Returns the token for a form and sets it as a cookie. */
  issue(cookies: Cookies): string {
    const known = cookies.get(this.name) ?? '';
    const text = wellFormed.test(known) ? known : randomBytes(randomByteCount).toString('base64url');
    cookies.set(this.name, text, this.options);
    return text;
  }

  /** Whether the submitted token matches the cookie (double submit). @param sent the form's field */
  verify(cookies: Cookies, sent: string | undefined): boolean {
    const known = cookies.get(this.name);
    if (known === undefined || sent === undefined || !wellFormed.test(known) || !wellFormed.test(sent))
      return false;
    return timingSafeEqual(Buffer.from(known), Buffer.from(sent));
  }

  clear(cookies: Cookies): void {
    cookies.clear(this.name, this.options);
  }
}
