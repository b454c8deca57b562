import { Parser } from 'htmlparser2';
import { ExportFileError } from '../export-file-error.js';

const reference = /&(?:#[xX]([0-9a-fA-F]+)|#(\d+)|([A-Za-z_][\w.-]*));/g;
const predefined: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const maxCodePoint = 0x10ffff;

/** Control characters that XML and PostgreSQL do not accept; tab, line feed and carriage return are not among them. */
// eslint-disable-next-line no-control-regex -- these characters are what the expression is about
const removedControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Whether a code point is one of `removedControl`. */
function isRemovedControl(code: number): boolean {
  return code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d;
}

/** The text without control characters (2.1), and whether it had any. */
export function withoutControlCharacters(text: string): { text: string; isChanged: boolean } {
  const cleaned = text.replace(removedControl, '');
  return { text: cleaned, isChanged: cleaned.length !== text.length };
}

/** Decodes the references in the text of one XML document; the interface is that of fast-xml-parser. */
export class ReferenceDecoder {
  /** Whether a reference was to a control character, which is left out. */
  hasRemovedControl = false;

  reset(): void {
    this.hasRemovedControl = false;
  }

  setExternalEntities(): void {
    // The parser has none.
  }

  addInputEntities(): void {
    throw new ExportFileError('a document type declaration (DTD) is not allowed');
  }

  setXmlVersion(): void {
    // Both versions allow the same references here.
  }

  /**
   * Decodes predefined and numeric references, once. References to entities of HTML stay as they are.
   * @throws ExportFileError for any other entity, which only a DTD could declare
   */
  decode(text: string): string {
    if (!text.includes('&')) return text;
    let hasSurrogate = false;
    const decoded = text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return predefined.get(name) ?? htmlReference(whole, name);
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      if (isRemovedControl(code)) {
        this.hasRemovedControl = true;
        return '';
      }
      hasSurrogate ||= code >= 0xd800 && code <= 0xdfff;
      return code <= maxCodePoint ? String.fromCodePoint(code) : '\ufffd';
    });
    // Two references may make up one pair; what is left without its half cannot be stored.
    return hasSurrogate ? decoded.replace(/\p{Surrogate}/gu, '\ufffd') : decoded;
  }
}

/** Names that were found to be entities of HTML; there are about two thousand. */
const htmlNames = new Set<string>();

function htmlReference(whole: string, name: string): string {
  if (htmlNames.has(name)) return whole;
  let decoded = '';
  const parser = new Parser({ ontext: (text) => (decoded += text) });
  parser.end(whole);
  if (decoded === whole) throw new ExportFileError(`the entity &${name}; is not declared`);
  htmlNames.add(name);
  return whole;
}
