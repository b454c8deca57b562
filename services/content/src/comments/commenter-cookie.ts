import { createHmac, hkdfSync } from 'node:crypto';
import { isMacOfAny, type Context, type Secrets } from '@quire/context';
import type { Cookies } from '@quire/http-server';

const salt = 'quire commenters';
const yearSeconds = 365 * 86_400;

/**
 * The cookie that identifies a returning guest (decision 61). It holds the id of a comment from this browser, signed
 * with a key of the site. Once that comment is approved, further ones with the same e-mail address are published at
 * once.
 */
export class CommenterCookie {
  /** @param secrets of the installation: the first one signs, a cookie of any of them is valid */
  constructor(private readonly secrets: Secrets) {}

  /** @returns the id of the browser's comment, or undefined without a cookie that this site has signed. */
  read(ctx: Context, cookies: Cookies): string | undefined {
    const [, commentId = '', mac = ''] =
      /^(\w{1,64})\.([\w-]{43})$/.exec(cookies.get(nameFor(ctx)) ?? '') ?? [];
    const isSigned = isMacOfAny(this.secrets, Buffer.from(mac, 'base64url'), (secret) =>
      macOf(secret, ctx, commentId),
    );
    return isSigned ? commentId : undefined;
  }

  write(ctx: Context, cookies: Cookies, commentId: string): void {
    const value = `${commentId}.${macOf(this.secrets[0], ctx, commentId).toString('base64url')}`;
    cookies.set(nameFor(ctx), value, { path: '/', maxAgeSeconds: yearSeconds });
  }
}

function macOf(secret: string, ctx: Context, commentId: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, salt, ctx.principal.tenant.id, 32));
  return createHmac('sha256', key).update(commentId).digest();
}

/** The prefix `__Host-` keeps other hosts from setting the cookie (decision 62); it needs https. */
const nameFor = ({ origin }: Context) =>
  origin?.startsWith('https:') ? '__Host-cms_commenter' : 'cms_commenter';
