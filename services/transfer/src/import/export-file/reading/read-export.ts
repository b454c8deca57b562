import { ElementScanner } from './element-scanner.js';
import { EventReader } from './event-reader.js';
import type { ExportEvent } from './export-events.js';
import { assertLooksLikeXml, signatureBytes } from './file-signature.js';

export interface ReadOptions {
  /** A longer item is a broken item. Default 16 MB. */
  maxItemBytes?: number;
}

const defaultMaxItemBytes = 16 * 1024 * 1024;
/** Bounds what is scanned before events are yielded. */
const maxScannedBytes = 1 << 18;

/**
 * Reads an export file (2.1) as a stream of events in file order; `channel` comes once, before the first item. Memory
 * does not depend on the size of the file: it holds one item and one chunk.
 * @param source the normalised bytes (`normaliseEncoding`)
 * @throws ExportFileError for a fatal fault: no export, a DTD, a truncated file
 */
export async function* readExport(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<ExportEvent> {
  const scanner = new ElementScanner(options.maxItemBytes ?? defaultMaxItemBytes);
  const reader = new EventReader();
  for await (const bytes of withSignatureChecked(source)) {
    scanner.push(bytes);
    for (let part = scanner.next(); part !== null; part = scanner.next()) yield* reader.eventsOf(part);
  }
  scanner.finish();
  yield* reader.finish();
}

/** The bytes in pieces of bounded length, after the first ones were checked. */
async function* withSignatureChecked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array(0);
  for await (const chunk of source) {
    if (head !== null) {
      head = Buffer.concat([head, chunk]);
      if (head.length < signatureBytes) continue;
      assertLooksLikeXml(head);
    }
    yield* pieces(head ?? chunk);
    head = null;
  }
  if (head === null) return;
  assertLooksLikeXml(head);
  yield head;
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += maxScannedBytes) {
    yield bytes.subarray(start, start + maxScannedBytes);
  }
}
