import { createHmac, hkdfSync } from 'node:crypto';

const salt = 'quire preview links';
const defaultSeconds = 3_600;
const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** The site and generation that a key is derived for. */
export interface PreviewKeyOwner {
  tenantId: string;
  /** Stored by the site (previews.repository.ts). Another generation is another key and invalidates earlier links. */
  generation: string;
}

/**
 * Derives the key that a site's front end verifies preview links with. Each site has a key of its own; a site with the
 * id of a deleted one has another.
 * @param secret of preview links
 * @returns 64 hexadecimal digits; the digits themselves are the HMAC key.
 */
export function previewKey(secret: string, { tenantId, generation }: PreviewKeyOwner): string {
  return Buffer.from(hkdfSync('sha256', secret, salt, `${tenantId} ${generation}`, 32)).toString('hex');
}

/** Claims of a preview link; `exp` and `iat` are seconds since 1970. */
export interface PreviewClaims {
  /** `collection:id` of the entry. */
  cid: string;
  exp: number;
  iat: number;
}

/** Signs links by which a site's front end shows an entry as its editors see it (contract 9). */
export class PreviewLinks {
  /**
   * @param secret of preview links
   * @param defaultPattern path of entries on the front end
   * @param maxSeconds maximum lifetime of a link
   */
  constructor(
    private readonly secret: string,
    readonly defaultPattern: string,
    readonly maxSeconds: number,
  ) {}

  /** @returns `base64url(claims).base64url(HMAC-SHA256)` with the key of a site. */
  token(owner: PreviewKeyOwner, claims: PreviewClaims): string {
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const mac = createHmac('sha256', previewKey(this.secret, owner)).update(payload).digest('base64url');
    return `${payload}.${mac}`;
  }
}

/**
 * @param given seconds, or a text such as "30m"
 * @param maxSeconds caps the result
 * @returns the lifetime of a preview link in seconds; an hour when `given` is unreadable (contract 9).
 */
export function previewLifetimeSeconds(given: unknown, maxSeconds: number): number {
  const seconds = typeof given === 'string' ? secondsIn(given) : given;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 1)
    return Math.min(maxSeconds, defaultSeconds);
  return Math.min(maxSeconds, Math.floor(seconds));
}

function secondsIn(text: string): number | undefined {
  const [, count, unit = ''] = /^\s*(\d{1,9})\s*([smhdw])\s*$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (secondsOf[unit] ?? Number.NaN);
}
