import { ExportFileError } from '../export-file-error.js';
import { ByteWindow } from './byte-window.js';
import { MarkupScanner, type Markup } from './markup-scanner.js';
import { OpenTags } from './open-tags.js';

/** An element directly below `channel`, cut out of the stream. */
export interface ChannelElement {
  kind: 'element';
  name: string;
  /** Offset in bytes of the stream. */
  offset: number;
  /** In bytes. */
  length: number;
  /** 1-based line of the first byte. */
  line: number;
  /** The element as XML; null if it has a fault. */
  text: string | null;
  /** Why it cannot be read; null if nothing is wrong with its tags. */
  fault: string | null;
}

/** The start tag of `rss` or `channel`. */
export interface ContainerTag {
  kind: 'container';
  text: string;
  /** 1-based. */
  line: number;
}

export type ExportPart = ChannelElement | ContainerTag;

/** An element whose end has not been found yet. */
interface OpenElement {
  name: string;
  offset: number;
  line: number;
  tags: OpenTags;
  isTooLarge: boolean;
}

const lineFeed = 0x0a;
const containers: readonly string[] = ['rss', 'channel'];

/**
 * Cuts `rss > channel > *` into its elements (2.1). A faulty `item` does not end the scan: it goes on behind its end
 * tag, or at the next `item`. Memory holds one element and one chunk.
 */
export class ElementScanner {
  private readonly window = new ByteWindow();
  private readonly scanner = new MarkupScanner(this.window);
  /** How many containers have been opened and closed. */
  private opened = 0;
  private closed = 0;
  private element: OpenElement | null = null;
  /** A tag that ended a faulty item, and is processed after it. */
  private pending: Markup | null = null;
  private line = 1;
  /** Lines are counted up to this offset. */
  private counted = 0;

  /** @param maxElementBytes a longer item is a fault of the item, any other element one of the file */
  constructor(private readonly maxElementBytes: number) {}

  push(chunk: Uint8Array): void {
    this.window.append(chunk);
  }

  /**
   * @returns the next part, or null if more bytes are needed
   * @throws ExportFileError
   */
  next(): ExportPart | null {
    for (let markup = this.nextMarkup(); markup !== null; markup = this.nextMarkup()) {
      const part =
        this.element === null ? this.betweenElements(markup) : this.withinElement(this.element, markup);
      if (part !== null) return part;
    }
    this.discard();
    return null;
  }

  /**
   * Checks the end of the stream.
   * @throws ExportFileError if an end tag is missing
   */
  finish(): void {
    if (this.closed === containers.length && this.element === null) return;
    const within = this.element === null ? 'before </rss>' : `within <${this.element.name}>`;
    const reason =
      this.opened === 0 ? 'the file has no <rss> element' : `the file is truncated: it ends ${within}`;
    throw new ExportFileError(reason, this.lineAt(this.window.end));
  }

  private nextMarkup(): Markup | null {
    const markup = this.pending;
    this.pending = null;
    if (markup !== null) return markup;
    try {
      return this.scanner.next();
    } catch (error) {
      throw error instanceof ExportFileError ? this.fatal(error.reason, this.scanner.position) : error;
    }
  }

  private betweenElements(markup: Markup): ExportPart | null {
    if (markup.kind === 'malformed') throw this.fatal('a tag is not well-formed', markup.start);
    if (this.closed > 0 || this.opened < containers.length) return this.container(markup);
    if (markup.kind === 'close') return this.container(markup);
    return this.begin(markup);
  }

  private container(markup: Markup): ContainerTag | null {
    const isOpening = this.closed === 0 && markup.kind === 'open';
    const expected = isOpening ? containers[this.opened] : containers[containers.length - 1 - this.closed];
    if (markup.name !== expected || (!isOpening && markup.kind !== 'close')) {
      throw this.fatal(this.containerFault(markup), markup.start);
    }
    if (!isOpening) {
      this.closed += 1;
      return null;
    }
    this.opened += 1;
    return {
      kind: 'container',
      text: this.window.text(markup.start, markup.end),
      line: this.lineAt(markup.start),
    };
  }

  private containerFault({ name, kind }: Markup): string {
    if (kind === 'empty' && name === containers[this.opened]) return `<${name}> is empty`;
    if (this.opened === 0) return name === 'html' ? htmlFault : `the root element is <${name}>, not <rss>`;
    if (this.opened === 1) return `<channel> is missing before <${name}>`;
    return `<${kind === 'close' ? '/' : ''}${name}> is not expected`;
  }

  private begin(markup: Markup): ChannelElement | null {
    const line = this.lineAt(markup.start);
    const tags = new OpenTags();
    tags.add(markup);
    const element = { name: markup.name, offset: markup.start, line, tags, isTooLarge: false };
    if (markup.kind === 'empty') return this.cut(element, markup.end);
    this.element = element;
    return null;
  }

  private withinElement(element: OpenElement, markup: Markup): ChannelElement | null {
    const isItem = element.name === 'item';
    if (isItem && this.interrupts(element.tags, markup)) {
      element.tags.fault ??= 'the item has no end tag';
      this.pending = markup;
      return this.cut(element, markup.start);
    }
    element.tags.add(markup);
    const isEnd = markup.kind === 'close' && markup.name === element.name && element.tags.depth === 0;
    return isEnd ? this.cut(element, markup.end) : null;
  }

  /** Whether a tag shows that the end tag of the item before it is missing. */
  private interrupts(tags: OpenTags, { kind, name }: Markup): boolean {
    if (kind === 'close') return containers.includes(name) && !tags.includes(name);
    return kind !== 'malformed' && name === 'item';
  }

  private cut(element: OpenElement, end: number): ChannelElement {
    this.element = null;
    const { name, offset, line, tags } = element;
    const length = end - offset;
    const isTooLarge = element.isTooLarge || length > this.maxElementBytes;
    const fault = isTooLarge ? `the item is longer than ${this.maxElementBytes} bytes` : tags.fault;
    if (fault !== null && name !== 'item')
      throw new ExportFileError(`<${name}> cannot be read: ${fault}`, line);
    const text = fault === null ? this.window.text(offset, end) : null;
    return { kind: 'element', name, offset, length, line, text, fault };
  }

  /** Forgets what no element needs; also the beginning of an element that is too long. */
  private discard(): void {
    const { position } = this.scanner;
    const { element } = this;
    if (element !== null && position - element.offset > this.maxElementBytes) {
      if (element.name !== 'item') throw this.fatal(`<${element.name}> is too long`, element.offset);
      element.isTooLarge = true;
    }
    const needed = element === null || element.isTooLarge ? position : element.offset;
    this.lineAt(needed);
    this.window.discardBefore(needed);
  }

  private fatal(reason: string, offset: number): ExportFileError {
    return new ExportFileError(reason, this.lineAt(offset));
  }

  /** The line of an offset; of one before the last that was asked for, the line of that. */
  private lineAt(offset: number): number {
    const passed = this.window.slice(this.counted, Math.max(this.counted, offset));
    for (let at = passed.indexOf(lineFeed); at !== -1; at = passed.indexOf(lineFeed, at + 1)) this.line += 1;
    this.counted += passed.length;
    return this.line;
  }
}

/** What is wrong with a file that begins like a page. */
export const htmlFault = 'the file is an HTML page, not an export';
