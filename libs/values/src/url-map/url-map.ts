import { stemOf, withoutSize } from './file-names.js';
import { originalOf, partsOfUrl, type UrlParts } from './url-parts.js';
import { replaceUrls, trailingPunctuation } from './url-tokens.js';

/** The new address of a file, under the host of its former one. */
interface Target {
  host: string | null;
  to: string;
}

/** Targets by a key of the former address; several hosts may have one path. */
type Index = Map<string, Target | Target[]>;

/** A text with new addresses. */
export interface Replaced {
  text: string;
  /** Number of addresses that were replaced. */
  count: number;
}

/** Longer values are texts, not single addresses. */
const maxUrlLength = 4_096;
/** Characters of punctuation that are tried as part of an address. */
const maxPunctuation = 8;

/**
 * The new addresses of files, by their former ones (contract 1.6). Looking up one address takes the same time whatever
 * the size of the map, and replacing those of a text takes time in proportion to the text: the whole address is found
 * first, then looked up, so no former address matches inside of another one.
 */
export class UrlMap {
  /** Whether there is nothing to replace. */
  readonly isEmpty: boolean;
  private readonly byPath: Index = new Map();
  private readonly byStem: Index = new Map();
  /** Spellings that are no addresses by themselves. */
  private readonly literal = new Map<string, string>();

  /** @param urls new addresses by former ones */
  constructor(urls: Readonly<Record<string, string>>) {
    const entries = Object.entries(urls);
    this.isEmpty = entries.length === 0;
    for (const [from, to] of entries) this.add(from, to);
  }

  private add(from: string, to: string): void {
    const parts = partsOfUrl(from.trim());
    if (!parts) {
      this.literal.set(from, to);
      return;
    }
    const target: Target = { host: parts.host, to };
    addTarget(this.byPath, parts.path + parts.query, target);
    const stem = stemOf(parts.path);
    if (parts.query === '' && stem !== parts.path) addTarget(this.byStem, stem, target);
  }

  /**
   * @param url one address, nothing else
   * @returns its new address: that of the address itself, else of the address without query and fragment, without the
   *   size of a reduced image, or without the suffixes of changed files; undefined for other addresses.
   */
  find(url: string): string | undefined {
    if (url.length > maxUrlLength) return undefined;
    const parts = partsOfUrl(url);
    if (!parts) return this.literal.get(url);
    // The start page, whose address says nothing without its host.
    if (parts.host === null && parts.path === '/') return undefined;
    const original = originalOf(parts);
    return this.findParts(parts) ?? (original ? this.findParts(original) : undefined);
  }

  /** As `find`, but only the address itself: not one without query, fragment or suffixes. */
  private findExactly(url: string): string | undefined {
    if (url.includes('#')) return undefined;
    const parts = partsOfUrl(url);
    return parts ? targetFor(this.byPath, parts.path + parts.query, parts.host) : this.literal.get(url);
  }

  private findParts({ host, path, query }: UrlParts): string | undefined {
    const reduced = withoutSize(path);
    return (
      targetFor(this.byPath, path + query, host) ??
      targetFor(this.byPath, path, host) ??
      (reduced === null ? undefined : targetFor(this.byPath, reduced, host)) ??
      this.findStem(stemOf(reduced ?? path), host)
    );
  }

  /** A changed file and its original are one picture, whichever of them is in the map. */
  private findStem(stem: string, host: string | null): string | undefined {
    return targetFor(this.byPath, stem, host) ?? targetFor(this.byStem, stem, host);
  }

  /** Replaces the addresses in a text, each once: new addresses are not looked up again. */
  replaceIn(text: string): Replaced {
    const whole = text.length <= maxUrlLength ? this.find(text) : undefined;
    if (whole !== undefined) return whole === text ? { text, count: 0 } : { text: whole, count: 1 };
    let count = 0;
    const replaced = replaceUrls(text, (found) => {
      const match = this.findInToken(found);
      if (match === undefined || match.to === match.url) return found;
      count += 1;
      return match.to + found.slice(match.url.length);
    });
    return { text: replaced, count };
  }

  /** An address at the end of a sentence is followed by punctuation, which may also be its own. */
  private findInToken(token: string): { url: string; to: string } | undefined {
    const end = token.length - trailingPunctuation(token);
    for (let length = token.length; length > end && length > token.length - maxPunctuation; length -= 1) {
      const url = token.slice(0, length);
      const to = this.findExactly(url);
      if (to !== undefined) return { url, to };
    }
    const url = token.slice(0, end);
    const to = this.find(url);
    return to === undefined ? undefined : { url, to };
  }
}

function addTarget(index: Index, key: string, target: Target): void {
  const present = index.get(key);
  if (present === undefined) index.set(key, target);
  else index.set(key, [...(Array.isArray(present) ? present : [present]), target]);
}

/** @returns the new address under the host; a root-relative address has one if all hosts agree. */
function targetFor(index: Index, key: string, host: string | null): string | undefined {
  const found = index.get(key);
  if (found === undefined) return undefined;
  const targets = Array.isArray(found) ? found : [found];
  const own = targets.find((target) => target.host === host);
  if (own) return own.to;
  if (host !== null) return undefined;
  const [first, ...others] = targets;
  return others.every(({ to }) => to === first?.to) ? first?.to : undefined;
}
