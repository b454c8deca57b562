import { createHmac, hkdfSync } from 'node:crypto';

const salt = 'quire preview links';

/**
 * The key that a site's front end checks preview links with. Each site has its own: whoever has one makes links of no other
 * site.
 * @param secret the installation's
 * @returns 64 hexadecimal digits, which are the key as a text
 */
export function previewKey(secret: string, tenantId: string): string {
  return Buffer.from(hkdfSync('sha256', secret, salt, tenantId, 32)).toString('hex');
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
   * @param usualPattern the path at which the front end shows entries
   */
  constructor(
    private readonly secret: string,
    readonly usualPattern: string,
  ) {}

  /** `base64url(claims).base64url(HMAC-SHA256)`, by the key of a site. */
  token(tenantId: string, claims: PreviewClaims): string {
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const mac = createHmac('sha256', previewKey(this.secret, tenantId)).update(payload).digest('base64url');
    return `${payload}.${mac}`;
  }
}
