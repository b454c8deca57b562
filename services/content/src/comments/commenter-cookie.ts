import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Context } from '@quire/context';
import type { Cookies } from '@quire/http-server';

const salt = 'quire commenters';
const yearSeconds = 365 * 86_400;

/**
 * The cookie by which a guest is known again (decision 61). It names a comment that was sent from this
 * browser, signed by a key of the site: once that comment is approved, further ones from its address are
 * published at once. It says nothing by itself.
 */
export class CommenterCookie {
  /** @param secret the installation's */
  constructor(private readonly secret: string) {}

  /**
   * The comment that the browser sent before; undefined where it has no cookie, or one that was not made
   * here.
   */
  read(ctx: Context, cookies: Cookies): string | undefined {
    const [, commentId = '', mac = ''] =
      /^(\w{1,64})\.([\w-]{43})$/.exec(cookies.get(nameFor(ctx)) ?? '') ?? [];
    const isOwn = timingSafeEqual(Buffer.from(this.mac(ctx, commentId)), Buffer.from(mac.padEnd(43)));
    return isOwn ? commentId : undefined;
  }

  write(ctx: Context, cookies: Cookies, commentId: string): void {
    const value = `${commentId}.${this.mac(ctx, commentId)}`;
    cookies.set(nameFor(ctx), value, { path: '/', maxAgeSeconds: yearSeconds });
  }

  private mac(ctx: Context, commentId: string): string {
    const key = Buffer.from(hkdfSync('sha256', this.secret, salt, ctx.principal.tenant.id, 32));
    return createHmac('sha256', key).update(commentId).digest('base64url');
  }
}

/** On https no other host can plant a cookie of this name (decision 62). */
const nameFor = ({ origin }: Context) =>
  origin?.startsWith('https:') ? '__Host-cms_commenter' : 'cms_commenter';
