import { createHmac, hkdfSync } from 'node:crypto';
import { isMacOfAny, type Secrets } from '@quire/context';
import type { VariantQuery } from './variant-query.js';

const salt = 'quire image variants';

/**
 * Returns the key with which the front end of a site signs addresses of variants. Each site has its own key.
 * @param secret current secret of the installation
 * @returns the key as a text of 64 hexadecimal digits
 */
export function imageKey(secret: string, tenantId: string): string {
  return Buffer.from(hkdfSync('sha256', secret, salt, tenantId, 32)).toString('hex');
}

/** Verifies signed addresses, with which a site's front end makes further variants public (decision 63). */
export class VariantSignatures {
  /** @param secrets secrets of the installation: a signature with the key of any of them is valid */
  constructor(private readonly secrets: Secrets) {}

  /** Whether the query has a valid signature of the site for this variant of a file. */
  isValid(tenantId: string, storageKey: string, query: VariantQuery): boolean {
    if (query.signature === undefined) return false;
    const { w, format, q } = query;
    const text = [storageKey, w, format, q].map((part) => part ?? '').join(':');
    return isMacOfAny(this.secrets, Buffer.from(query.signature, 'base64url'), (secret) =>
      createHmac('sha256', imageKey(secret, tenantId)).update(text).digest(),
    );
  }
}
