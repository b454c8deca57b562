import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Cookies } from '@quire/http-server';

const randomByteCount = 32;
const wellFormed = /^[\w-]{43}$/;

/**
 * The text that both a cookie and the forms of a browser's pages carry, so that no other page can send them (contract 4,
 * CSRF). Pages that are open at once share it.
 */
export class FormToken {
  private readonly options: { path: string; sameSite: 'strict' };

  /** @param path below which the forms are sent */
  constructor(
    private readonly name: string,
    path: string,
  ) {
    this.options = { path, sameSite: 'strict' };
  }

  /** The text for a form, which the answer's cookie carries too. */
  give(cookies: Cookies): string {
    const known = cookies.get(this.name) ?? '';
    const text = wellFormed.test(known) ? known : randomBytes(randomByteCount).toString('base64url');
    cookies.set(this.name, text, this.options);
    return text;
  }

  /** Whether a form comes from a page that this browser was given. @param sent the form's field */
  isOwn(cookies: Cookies, sent: string | undefined): boolean {
    const known = cookies.get(this.name);
    if (known === undefined || sent === undefined || !wellFormed.test(known) || !wellFormed.test(sent))
      return false;
    return timingSafeEqual(Buffer.from(known), Buffer.from(sent));
  }

  clear(cookies: Cookies): void {
    cookies.clear(this.name, this.options);
  }
}
