import { createHmac, hkdfSync } from 'node:crypto';

const salt = 'quire preview links';

/** Whose key it is: a site, at one time. */
export interface PreviewKeyOwner {
  tenantId: string;
  /**
   * What the site stores, see preview-generation.repository.ts: with another one the key is another, and
   * earlier links end.
   */
  generation: string;
}

/**
 * The key that a site's front end checks preview links with. Each site has its own: whoever has one makes links of no
 * other site, nor of one that had the same id before.
 * @param secret the installation's
 * @returns 64 hexadecimal digits, which are the key as a text
 */
export function previewKey(secret: string, { tenantId, generation }: PreviewKeyOwner): string {
  return Buffer.from(hkdfSync('sha256', secret, salt, `${tenantId} ${generation}`, 32)).toString('hex');
}

/** What a preview link is for, in seconds since 1970. */
export interface PreviewClaims {
  /** `collection:id` of the entry. */
  cid: string;
  exp: number;
  iat: number;
}

/** Makes the links by which a site's front end shows an entry as its editors see it (contract 9). */
export class PreviewLinks {
  /**
   * @param secret the installation's
   * @param defaultPattern the path at which the front end shows entries
   * @param maxSeconds how long a link lasts at most
   */
  constructor(
    private readonly secret: string,
    readonly defaultPattern: string,
    readonly maxSeconds: number,
  ) {}

  /** `base64url(claims).base64url(HMAC-SHA256)`, by the key of a site. */
  token(owner: PreviewKeyOwner, claims: PreviewClaims): string {
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const mac = createHmac('sha256', previewKey(this.secret, owner)).update(payload).digest('base64url');
    return `${payload}.${mac}`;
  }
}
