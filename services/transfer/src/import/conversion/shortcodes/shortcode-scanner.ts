import { escapedTag, parseShortcodeAttributes, shortcodeTag, type Shortcode } from './shortcode.js';

/** Shortcodes with content. */
const enclosing = new Set(['caption', 'wp_caption', 'embed', 'audio', 'video']);
const known = new Set([...enclosing, 'gallery', 'playlist']);
/** Elements in which brackets are text. */
const opaque = /^(?:script|style|pre|textarea)$/;
const startsTag = /<(\/?)([a-z][a-z0-9]*)/iy;
const blockTag = /<\/?(?:p|div|li|td|th|blockquote|h[1-6]|br|section|article)\b/iy;

/** A part of classic HTML. */
export type ClassicPart = string | { shortcode: Shortcode } | { unknownLine: string };

/**
 * Splits classic HTML at shortcodes: known ones, and lines that consist of unknown ones (contract section 3.3). A known
 * one that `isConvertible` declines is treated as unknown. Takes linear time.
 */
export function scanShortcodes(
  source: string,
  isConvertible: (shortcode: Shortcode) => boolean,
): ClassicPart[] {
  return source.includes('[') ? new ShortcodeScanner(source, isConvertible).scan() : [source];
}

class ShortcodeScanner {
  private readonly parts: ClassicPart[] = [];
  private index = 0;
  private textStart = 0;
  /** The end of the last tag of a block element: a line begins there. */
  private blockTagEnd = 0;
  private hasUnendedTag = false;
  /** The next index of texts that were searched; infinite for texts that do not occur any more. */
  private readonly found = new Map<string, number>();

  constructor(
    private readonly source: string,
    private readonly isConvertible: (shortcode: Shortcode) => boolean,
  ) {}

  scan(): ClassicPart[] {
    const next = /[<[]/g;
    for (;;) {
      next.lastIndex = this.index;
      const found = next.exec(this.source);
      if (!found) break;
      this.index = found.index;
      if (found[0] === '<') this.skipTag();
      else this.readBracket();
    }
    this.endText(this.source.length);
    return this.parts;
  }

  private skipTag(): void {
    const start = this.index;
    if (this.source.startsWith('<!--', start)) {
      this.index = this.endOf('-->', start + 4) ?? start + 4;
      return;
    }
    startsTag.lastIndex = start;
    const [text, slash, name = ''] = startsTag.exec(this.source) ?? [];
    const end = text === undefined ? undefined : this.endOfTag(start + text.length);
    this.index = end ?? start + 1;
    if (end === undefined) return;
    blockTag.lastIndex = start;
    if (blockTag.test(this.source)) this.blockTagEnd = end;
    if (slash === '' && opaque.test(name.toLowerCase()))
      this.index = this.endOf(`</${name}`, end) ?? this.index;
  }

  /** The end of a tag, behind quoted attributes. */
  private endOfTag(from: number): number | undefined {
    const next = /[>"']/g;
    let index = from;
    for (;;) {
      next.lastIndex = index;
      const found = this.hasUnendedTag ? null : next.exec(this.source);
      if (!found) {
        // No tag behind one that does not end can be found.
        this.hasUnendedTag = true;
        return undefined;
      }
      if (found[0] === '>') return found.index + 1;
      const end = this.endOf(found[0], found.index + 1);
      index = end ?? found.index + 1;
    }
  }

  private endOf(text: string, from: number): number | undefined {
    const index = this.nextOf(text, from);
    return index === undefined ? undefined : index + text.length;
  }

  /** The next index of a text. A known one is not searched again, which limits the time for all searches. */
  private nextOf(text: string, from: number): number | undefined {
    let index = this.found.get(text) ?? -1;
    if (index < from) {
      const next = this.source.indexOf(text, from);
      index = next === -1 ? Infinity : next;
      this.found.set(text, index);
    }
    return index === Infinity ? undefined : index;
  }

  private readBracket(): void {
    const start = this.index;
    escapedTag.lastIndex = start;
    const [escaped, literal] = escapedTag.exec(this.source) ?? [];
    if (escaped !== undefined && literal !== undefined) {
      this.endText(start);
      this.parts.push(literal);
      this.continueAt(start + escaped.length);
      return;
    }
    shortcodeTag.lastIndex = start;
    const [tag, slash, name, attributes = ''] = shortcodeTag.exec(this.source) ?? [];
    if (tag === undefined || name === undefined) {
      this.index = start + 1;
      return;
    }
    if (slash === '' && known.has(name) && this.readKnown(name, attributes, start, start + tag.length))
      return;
    if (!this.readUnknownLine(start)) this.index = start + tag.length;
  }

  private readKnown(name: string, text: string, start: number, tagEnd: number): boolean {
    const close = this.closeOf(name, text, tagEnd);
    const end = close === undefined ? tagEnd : close + `[/${name}]`.length;
    const shortcode: Shortcode = {
      name,
      ...parseShortcodeAttributes(text),
      content: close === undefined ? undefined : this.source.slice(tagEnd, close),
      source: this.source.slice(start, end),
    };
    if (!this.isConvertible(shortcode)) return false;
    this.endText(start);
    this.parts.push({ shortcode });
    this.continueAt(end);
    return true;
  }

  /** The index of the closing tag, unless it belongs to a later tag of the same name. */
  private closeOf(name: string, attributes: string, from: number): number | undefined {
    if (!enclosing.has(name) || attributes.trimEnd().endsWith('/')) return undefined;
    const close = this.nextOf(`[/${name}]`, from);
    if (close === undefined) return undefined;
    const later = [`[${name} `, `[${name}]`].map((tag) => this.nextOf(tag, from) ?? Infinity);
    return Math.min(...later) > close ? close : undefined;
  }

  /** Reads a line of nothing but tags of unknown shortcodes. */
  private readUnknownLine(start: number): boolean {
    if (!this.isLineStart(start)) return false;
    let end = start;
    for (;;) {
      shortcodeTag.lastIndex = end;
      const [tag, , name = ''] = shortcodeTag.exec(this.source) ?? [];
      if (tag === undefined || (known.has(name) && end > start)) return false;
      const tagEnd = end + tag.length;
      end = this.skipSpaces(tagEnd);
      if (this.isLineEnd(end)) {
        this.endText(start);
        this.parts.push({ unknownLine: this.source.slice(start, tagEnd) });
        this.continueAt(tagEnd);
        return true;
      }
    }
  }

  private isLineStart(start: number): boolean {
    let index = start;
    while (index > 0 && ' \t\r'.includes(this.source[index - 1] ?? '')) index -= 1;
    return index === 0 || this.source[index - 1] === '\n' || index === this.blockTagEnd;
  }

  private isLineEnd(index: number): boolean {
    blockTag.lastIndex = index;
    return index >= this.source.length || this.source[index] === '\n' || blockTag.test(this.source);
  }

  private skipSpaces(start: number): number {
    let index = start;
    while (index < this.source.length && ' \t\r'.includes(this.source[index] ?? '')) index += 1;
    return index;
  }

  private endText(end: number): void {
    if (end > this.textStart) this.parts.push(this.source.slice(this.textStart, end));
  }

  private continueAt(index: number): void {
    this.index = index;
    this.textStart = index;
  }
}
