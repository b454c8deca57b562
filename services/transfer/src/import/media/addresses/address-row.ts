import { createHash } from 'node:crypto';
import { comparableUrl, fileKeyOf } from '@quire/values';
import xxhash from 'xxhash-wasm';
import type { AddressRow } from './media-addresses.repository.js';

const hashes = await xxhash();

/** The key of an address in `media_addresses`: equal for spellings that are not distinguished. */
export const addressKeyOf = (address: string): string =>
  createHash('sha256')
    .update(comparableUrl(address) ?? address)
    .digest('hex');

/** The form in which `media_addresses` has a key of `fileKeyOf`. */
export const storedFileKey = (fileKey: string): string => hashes.h64ToString(fileKey);

/** @returns the row of an address; none for one that bodies cannot name a file by. */
export function addressRow(address: string, urlHash: string, isAlias: boolean): AddressRow[] {
  const fileKey = fileKeyOf(address);
  if (fileKey === null) return [];
  return [{ addressKey: addressKeyOf(address), address, urlHash, fileKey: storedFileKey(fileKey), isAlias }];
}
