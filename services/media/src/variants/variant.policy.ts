import type { Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { assertPermission, assertScope } from '@quire/permissions';
import { parseVariantSpec, type VariantQuery } from './variant-query.js';

/** Whether a variant is public: it has a width, and is WebP or the format of the file (decision 63). */
export function isPublicVariant(query: VariantQuery, mimeType: string): boolean {
  if (query.w === undefined) return false;
  const ownFormat = parseVariantSpec({ ...query, format: undefined }, mimeType).format;
  return query.format === undefined || query.format === 'webp' || query.format === ownFormat;
}

/**
 * Asserts that a principal may read media, which variants that are not public require.
 * @throws QuireError NOT_AUTHENTICATED, INSUFFICIENT_SCOPE, FORBIDDEN
 */
export function assertVariantReader(principal: Principal): void {
  if (principal.kind === 'anonymous')
    throw new QuireError(
      'NOT_AUTHENTICATED',
      'This variant requires a signature or a sign-in. Public variants need a width and are WebP or the format of the file.',
    );
  assertScope(principal, 'media:read');
  assertPermission(principal, 'media:read');
}
