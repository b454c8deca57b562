import { isAllowedUrl } from '@quire/values';
import { storableText } from './block-tree.js';
import type { SiteLinks } from './site-links.js';

/** A file of the source's media library. */
export interface SourceAttachment {
  /** The id in the source. */
  id: number;
  url: string;
  alt?: string;
  caption?: string;
  title?: string;
  mimeType?: string;
}

/** What a body refers to outside of itself. */
export interface ConversionContext {
  /** The base URL of the source site. Links below it become root-relative; a value that is no URL changes no link. */
  siteUrl?: string;
  /** The slug of the section that a reusable block became. */
  sectionSlug(refId: number): string | undefined;
  attachment(id: number): SourceAttachment | undefined;
  /** The attachments whose parent is this item, in menu order: a gallery without ids shows them. */
  childAttachments(): readonly SourceAttachment[];
  /** The value of the meta key `footnotes`: JSON. */
  footnotes?: string;
}

export type ConversionWarningCode = 'BLOCK_UNKNOWN' | 'SECTION_MISSING' | 'URL_UNSAFE';

export interface ConversionWarning {
  code: ConversionWarningCode;
  message: string;
}

/** The list of an item: one bad link in a template repeats in every row of it. */
const maxWarnings = 100;

/** The state of the conversion of one body. */
export class Conversion {
  private readonly found = new Map<string, ConversionWarning>();
  /** Open HTML elements of all fragments that are being converted: the recursion depth. */
  elementDepth = 0;

  constructor(
    readonly context: ConversionContext,
    readonly links: SiteLinks,
  ) {}

  /** Adds a warning; equal ones count once. */
  warn(code: ConversionWarningCode, message: string): void {
    if (this.found.size < maxWarnings) this.found.set(`${code} ${message}`, { code, message });
  }

  get warnings(): ConversionWarning[] {
    return [...this.found.values()];
  }

  /** The address to store for one in the source; undefined with a warning where it is unsafe. */
  safeUrl(address: string | undefined): string | undefined {
    const trimmed = address?.trim() ?? '';
    if (trimmed === '') return undefined;
    const url = this.links.resolve(trimmed);
    if (url === undefined) this.warnOfUrl(trimmed);
    return url;
  }

  /** As `safeUrl`, for an address that is no link: one of the source site stays absolute. */
  safeFileUrl(address: string | undefined): string | undefined {
    const trimmed = address?.trim() ?? '';
    if (trimmed === '') return undefined;
    const url = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed;
    if (isAllowedUrl(url)) return url;
    this.warnOfUrl(trimmed);
    return undefined;
  }

  /** Warns of an address that is not stored as such. */
  warnOfUrl(address: string): void {
    this.warn('URL_UNSAFE', `The address '${shortened(address)}' is not allowed.`);
  }
}

const maxShownLength = 200;

/** A text as a message shows it. */
export const shortened = (text: string): string =>
  text.length > maxShownLength ? `${storableText(text.slice(0, maxShownLength))}…` : text;
