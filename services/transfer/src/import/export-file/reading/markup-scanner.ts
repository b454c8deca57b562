import { ExportFileError } from '../export-file-error.js';
import type { ByteWindow } from './byte-window.js';

/** A tag of the document. `malformed` is a `<` that begins no tag, or a tag that another `<` interrupts. */
export interface Markup {
  kind: 'open' | 'empty' | 'close' | 'malformed';
  /** The qualified name; empty if malformed. */
  name: string;
  /** Offsets of the first byte and of the byte behind the last. */
  start: number;
  end: number;
}

const code = (character: string) => character.charCodeAt(0);
const [lessThan, greaterThan, slash, question, exclamation] = ['<', '>', '/', '?', '!'].map(code) as [
  number,
  number,
  number,
  number,
  number,
];
const [doubleQuote, singleQuote] = ['"', "'"].map(code) as [number, number];
const sectionStart = Buffer.from('<![CDATA[');
const sectionEnd = Buffer.from(']]>');
const commentStart = Buffer.from('<!--');
const commentEnd = Buffer.from('-->');
const instructionEnd = Buffer.from('?>');
/** A longer tag is malformed: the bound keeps a file of one unclosed tag out of memory. */
const maxTagBytes = 1 << 16;
const nameStart = /[\p{L}_:]/u;

/**
 * Finds the tags of an XML document in a byte window, and passes over text, CDATA sections, comments and processing
 * instructions. It does not check the nesting of tags.
 */
export class MarkupScanner {
  /** Everything before this offset has been scanned, and is not read again. */
  position = 0;
  /** The end of the section, comment or instruction that `position` is in. */
  private terminator: Buffer | null = null;

  constructor(private readonly window: ByteWindow) {}

  /**
   * @returns the next tag, or null if it is not complete in the window yet
   * @throws ExportFileError without a line, for a document type declaration
   */
  next(): Markup | null {
    for (;;) {
      if (this.terminator !== null && !this.leaveSection(this.terminator)) return null;
      const start = this.window.indexOf(lessThan, this.position);
      this.position = start === -1 ? this.window.end : start;
      if (start === -1) return null;
      const kind = this.window.at(start + 1);
      if (kind === undefined) return null;
      if (kind === question) this.enterSection(start + 2, instructionEnd);
      else if (kind === exclamation) {
        const isDecided = this.enterDeclaration(start);
        if (isDecided === 'malformed') return this.malformed(start, start + 1);
        if (!isDecided) return null;
      } else return this.tagAt(start, kind);
    }
  }

  private leaveSection(terminator: Buffer): boolean {
    const end = this.window.indexOf(terminator, this.position);
    if (end === -1) {
      // The terminator can begin with the last bytes of the window.
      this.position = Math.max(this.position, this.window.end - terminator.length + 1);
      return false;
    }
    this.position = end + terminator.length;
    this.terminator = null;
    return true;
  }

  private enterSection(contentStart: number, terminator: Buffer): void {
    this.position = contentStart;
    this.terminator = terminator;
  }

  /** @returns false if the window ends before the kind of the declaration is known */
  private enterDeclaration(start: number): boolean | 'malformed' {
    const head = this.window.slice(start, start + sectionStart.length);
    if (head.subarray(0, commentStart.length).equals(commentStart)) {
      this.enterSection(start + commentStart.length, commentEnd);
      return true;
    }
    if (head.length < sectionStart.length) return false;
    if (head.equals(sectionStart)) {
      this.enterSection(start + sectionStart.length, sectionEnd);
      return true;
    }
    if (/^<!(DOCTYPE|ENTITY)/i.test(head.toString('latin1'))) {
      throw new ExportFileError('a document type declaration (DTD) is not allowed');
    }
    return 'malformed';
  }

  private tagAt(start: number, kind: number): Markup | null {
    const end = this.endOfTag(start);
    if (end === -1) return null;
    if (end === -2) return this.malformed(start, start + 1);
    const isClosing = kind === slash;
    const isEmpty = !isClosing && this.window.at(end - 2) === slash;
    const text = this.window.text(start + (isClosing ? 2 : 1), end - (isEmpty ? 2 : 1));
    const space = text.search(/[\s/]/);
    const name = space === -1 ? text : text.slice(0, space);
    if (!nameStart.test(name.charAt(0))) return this.malformed(start, start + 1);
    this.position = end;
    return { kind: isClosing ? 'close' : isEmpty ? 'empty' : 'open', name, start, end };
  }

  /** @returns the offset behind `>`, -1 if the tag is not complete, -2 if it is malformed */
  private endOfTag(start: number): number {
    let quote = 0;
    const limit = Math.min(this.window.end, start + maxTagBytes);
    for (let offset = start + 1; offset < limit; offset += 1) {
      const byte = this.window.at(offset);
      if (byte === lessThan) return -2;
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === greaterThan) return offset + 1;
      else if (byte === doubleQuote || byte === singleQuote) quote = byte;
    }
    return limit < this.window.end ? -2 : -1;
  }

  private malformed(start: number, end: number): Markup {
    this.position = end;
    return { kind: 'malformed', name: '', start, end };
  }
}
