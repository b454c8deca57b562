import type { Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { requirePermission, requireScope } from '@quire/permissions';
import { lookOf, type VariantQuery } from './variant-query.js';

/** Whether a variant is for anybody: of one of the widths, in WebP or the format of the file (decision 63). */
export function isPublicVariant(query: VariantQuery, mimeType: string): boolean {
  if (query.w === undefined) return false;
  const ownFormat = lookOf({ ...query, format: undefined }, mimeType).format;
  return query.format === undefined || query.format === 'webp' || query.format === ownFormat;
}

/**
 * Other variants are for those who may read media.
 * @throws QuireError NOT_AUTHENTICATED, INSUFFICIENT_SCOPE, FORBIDDEN
 */
export function requireVariantReader(principal: Principal): void {
  if (principal.kind === 'anonymous')
    throw new QuireError(
      'NOT_AUTHENTICATED',
      'Without a signature or a sign-in there are variants with a width in WebP and the format of the file',
    );
  requireScope(principal, 'media:read');
  requirePermission(principal, 'media:read');
}
