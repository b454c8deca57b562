import { ExportFileError } from '../export-file-error.js';

/** How the bytes of a file become text. `bomLength` bytes precede the text. */
export interface DetectedEncoding {
  /** A label that TextDecoder accepts. */
  label: string;
  bomLength: number;
}

/** Enough for the byte order mark and the XML declaration, also in UTF-16. */
export const headBytes = 1024;

const byteOrderMarks: readonly { bytes: readonly number[]; label: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], label: 'utf-8' },
  { bytes: [0xff, 0xfe], label: 'utf-16le' },
  { bytes: [0xfe, 0xff], label: 'utf-16be' },
];
const signatures: readonly { bytes: readonly number[]; reason: string }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], reason: 'the file is a zip archive; upload the XML file in it' },
  { bytes: [0x1f, 0x8b], reason: 'the file is compressed with gzip; upload the XML file in it' },
  { bytes: [0x00, 0x00, 0xfe, 0xff], reason: 'the file is encoded in UTF-32, which is not supported' },
  { bytes: [0xff, 0xfe, 0x00, 0x00], reason: 'the file is encoded in UTF-32, which is not supported' },
];
const declaration = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']\s*([A-Za-z0-9._:-]+)\s*["']/;

/**
 * Finds the encoding of a file by its byte order mark, else by its XML declaration, else UTF-8 (2.1).
 * @param head the first `headBytes` bytes, or the whole of a smaller file
 * @throws ExportFileError for archives, UTF-32, unknown encodings, and a declaration that the bytes contradict
 */
export function detectEncoding(head: Uint8Array): DetectedEncoding {
  assertNoForeignSignature(head);
  const mark = byteOrderMarks.find(({ bytes }) => startsWith(head, bytes));
  if (mark !== undefined) return { label: mark.label, bomLength: mark.bytes.length };
  const wide = utf16WithoutMark(head);
  if (wide !== null) return { label: wide, bomLength: 0 };
  const [, declared = 'utf-8'] = declaration.exec(Buffer.from(head).toString('latin1')) ?? [];
  return { label: supportedLabel(declared), bomLength: 0 };
}

/**
 * The same XML declaration with `UTF-8` as its encoding, as the normalised file has it.
 * @param text the beginning of the file; unchanged if it has no declaration
 */
export function withUtf8Declaration(text: string): string {
  return text.replace(declaration, (whole, label: string) => {
    const at = whole.lastIndexOf(label);
    return `${whole.slice(0, at)}UTF-8${whole.slice(at + label.length)}`;
  });
}

/** @throws ExportFileError if the bytes begin like an archive or a file in UTF-32 */
export function assertNoForeignSignature(head: Uint8Array): void {
  const foreign = signatures.find(({ bytes }) => startsWith(head, bytes));
  if (foreign !== undefined) throw new ExportFileError(foreign.reason);
}

function supportedLabel(declared: string): string {
  // The bytes were readable one by one, so they are not UTF-16 or UTF-32.
  const label = labelOf(declared);
  if (label === null) throw new ExportFileError(`the declared encoding ${declared} is not supported`, 1);
  const isWide = label.startsWith('utf-16');
  if (isWide) throw new ExportFileError(`the file declares the encoding ${declared}, and has another`, 1);
  return label;
}

function labelOf(declared: string): string | null {
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    return null;
  }
}

/** `<` or white space as the first code unit shows the byte order of UTF-16. */
function utf16WithoutMark(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = head;
  const isMarkup = (byte: number | undefined) =>
    byte !== undefined && [0x3c, 0x20, 0x0a, 0x0d].includes(byte);
  if (isMarkup(first) && second === 0) return 'utf-16le';
  return first === 0 && isMarkup(second) ? 'utf-16be' : null;
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
