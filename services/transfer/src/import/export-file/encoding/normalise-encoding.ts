import { detectEncoding, headBytes, withUtf8Declaration } from './detect-encoding.js';
import { Utf8Repair } from './utf8-repair.js';

/**
 * Converts an export file to UTF-8 without a byte order mark (2.1). Reads UTF-8, UTF-16, and any 8-bit encoding that
 * the XML declaration names; a converted file declares UTF-8. Invalid sequences become U+FFFD. Offsets of `readExport`
 * count the bytes of the result.
 * @throws ExportFileError for archives, unknown encodings, and a declaration that the bytes contradict
 */
export async function* normaliseEncoding(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    const { head, isWhole } = await readHead(chunks);
    const { label, bomLength } = detectEncoding(head);
    const body = remaining(head.subarray(bomLength), isWhole ? null : chunks);
    yield* label === 'utf-8' ? repairedUtf8(body) : converted(body, label);
  } finally {
    await chunks.return?.();
  }
}

async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<{ head: Uint8Array; isWhole: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < headBytes) {
    const next = await chunks.next();
    if (next.done === true) return { head: Buffer.concat(parts), isWhole: true };
    parts.push(Uint8Array.from(next.value));
    length += next.value.length;
  }
  return { head: Buffer.concat(parts), isWhole: false };
}

async function* remaining(
  first: Uint8Array,
  chunks: AsyncIterator<Uint8Array> | null,
): AsyncGenerator<Uint8Array> {
  yield first;
  if (chunks === null) return;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
}

async function* repairedUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const repair = new Utf8Repair();
  for await (const chunk of chunks) {
    const bytes = repair.push(chunk);
    if (bytes.length > 0) yield bytes;
  }
  const last = repair.finish();
  if (last.length > 0) yield last;
}

async function* converted(chunks: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(label);
  let isFirst = true;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    // The first chunk is the head, which contains the whole declaration.
    if (text !== '') yield Buffer.from(isFirst ? withUtf8Declaration(text) : text);
    isFirst = false;
  }
  const last = decoder.decode();
  if (last !== '') yield Buffer.from(last);
}
