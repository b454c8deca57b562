import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { VariantQuery } from './variant-query.js';

const salt = 'quire image variants';

/**
 * The key that a site's front end signs addresses of variants with. Each site has its own: whoever has one signs
 * addresses of no other site.
 * @param secret the installation's
 * @returns 64 hexadecimal digits, which are the key as a text
 */
export function imageKey(secret: string, tenantId: string): string {
  return Buffer.from(hkdfSync('sha256', secret, salt, tenantId, 32)).toString('hex');
}

/**
 * Addresses of variants that a site's front end lets anybody ask for, beyond those that are for anybody (decision 63).
 */
export class VariantSignatures {
  /** @param secret the installation's */
  constructor(private readonly secret: string) {}

  /** Whether the front end of a site has signed what is asked of a file. */
  isValid(tenantId: string, storageKey: string, query: VariantQuery): boolean {
    if (query.signature === undefined) return false;
    const { w, format, q } = query;
    const text = [storageKey, w, format, q].map((part) => part ?? '').join(':');
    const expected = createHmac('sha256', imageKey(this.secret, tenantId)).update(text).digest();
    const given = Buffer.from(query.signature, 'base64url');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
