import { Parser } from 'htmlparser2';
import { ExportFileError } from '../export-file-error.js';
import { isRemovedControl } from './control-characters.js';

const reference = /&(?:#[xX]([0-9a-fA-F]+)|#(\d+)|([A-Za-z_][\w.-]*));/g;
const predefined: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const maxCodePoint = 0x10ffff;

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

function htmlReference(whole: string, name: string): string {
  let decoded = '';
  const parser = new Parser({ ontext: (text) => (decoded += text) });
  parser.end(whole);
  if (decoded === whole) throw new ExportFileError(`the entity &${name}; is not declared`);
  return whole;
}
