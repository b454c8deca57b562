import { UrlMap } from '@quire/values';
import type { AttachmentAddresses } from './upload-bases.js';

/** The longest address that rewriting addresses takes is longer. */
const maxLength = 2_000;
const maxAliases = 100;

/** A file of the source as bodies may name it. */
export interface AttachmentNames extends AttachmentAddresses {
  /** Names of reduced images, and of the original, that do not follow from the name of the file. */
  variants: readonly string[];
}

/**
 * The addresses of a file beside its own: its guid, its place below each address of the folder of uploads, and its
 * variants in all of their folders (contract 1.5, 2.7).
 * @param bases addresses of the folder of uploads, with a slash at the end
 * @returns without those that a `UrlMap` finds by the own one, or by another alias
 */
export function aliasesOf(
  { url, guidUrl, file, variants }: AttachmentNames & { url: string },
  bases: readonly string[],
): string[] {
  const files = [guidUrl, ...bases.map((base) => (file === null ? null : base + file))].filter(
    (address) => address !== null,
  );
  const folders = new Set([url, ...files].map((address) => address.replace(/[^/]*(?:[?#].*)?$/s, '')));
  const candidates = new Set([
    ...files,
    ...[...folders].flatMap((folder) => variants.map((name) => folder + name)),
  ]);
  candidates.delete(url);
  const aliases: string[] = [];
  for (const address of candidates) {
    if (address.length > maxLength || aliases.length >= maxAliases) continue;
    const known = new UrlMap(Object.fromEntries([url, ...aliases].map((former) => [former, '/'])));
    if (known.find(address) === undefined) aliases.push(address);
  }
  return aliases;
}
