import { stemOf, withoutSize } from './file-names.js';
import { originalOf, partsOfUrl } from './url-parts.js';
import { replaceUrls, trailingPunctuation } from './url-tokens.js';

/**
 * What the addresses of a file have in common that `UrlMap` finds by one another: the path without the sizes of reduced
 * images and the suffixes of changed files. Other files may have it too, on other hosts too: it selects candidates for
 * a map.
 * @returns null for a text that is no address of a file
 */
export function fileKeyOf(url: string): string | null {
  const parts = partsOfUrl(url);
  if (!parts) return null;
  const { path } = originalOf(parts) ?? parts;
  return path === '/' ? null : unchangedName(path);
}

function unchangedName(path: string): string {
  for (let name = path; ;) {
    const shorter = stemOf(withoutSize(name) ?? name);
    if (shorter === name) return name;
    name = shorter;
  }
}

/**
 * @returns the keys of the addresses in a text, which may be one address as a whole. Punctuation at the end of an
 *   address may be its own, or not.
 */
export function fileKeysIn(text: string): Set<string> {
  const keys = new Set<string>();
  const add = (url: string) => {
    const key = fileKeyOf(url);
    if (key !== null) keys.add(key);
  };
  add(text);
  replaceUrls(text, (url) => {
    add(url);
    add(url.slice(0, url.length - trailingPunctuation(url)));
    return url;
  });
  return keys;
}

/** @returns equal texts for spellings of an address that `UrlMap` does not distinguish; null for any other text. */
export function comparableUrl(url: string): string | null {
  const parts = partsOfUrl(url);
  return parts && `${parts.host ?? ''}${parts.path}${parts.query}`;
}
