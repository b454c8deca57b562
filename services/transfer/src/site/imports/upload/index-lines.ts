import type { Readable } from 'node:stream';
import { QuireError } from '@quire/errors';
import {
  fileNumberOf,
  packageFileAt,
  packageFileSchema,
  packageLimits,
  type DeclaredFile,
  type PackageFile,
} from '@quire/site-package';
import type { ExpectedFile } from '../../package-files/declared-files.repository.js';
import { limitExceeded } from '../package-errors.js';
import { mediaPosition, recordsPosition } from '../../package-files/file-positions.js';

const lineFeed = 0x0a;
/** A valid line has less, also with an escape for every character of the path. */
const maxLineBytes = 4096;
const linesPerBatch = 5_000;

/** A file of the index, and the line that declares it. */
export interface IndexLine extends ExpectedFile {
  line: number;
}

/** An index file: its path names it in errors. */
export interface IndexFile {
  path: string;
  /** From 1. */
  number: number;
}

/**
 * The files that an index file declares, in batches, each checked by itself.
 * @throws QuireError TRANSFER_MANIFEST_INVALID with path and line, TRANSFER_LIMIT_EXCEEDED; the source's error
 */
export async function* readIndexLines(source: Readable, file: IndexFile): AsyncGenerator<IndexLine[]> {
  let batch: IndexLine[] = [];
  let line = 0;
  for await (const text of linesOf(source, file)) {
    line += 1;
    batch.push(parseLine(text, file, line));
    if (batch.length < linesPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The error for a line of an index file. */
export function indexLineInvalid({ path }: IndexFile, line: number, problem: string): QuireError {
  return new QuireError('TRANSFER_MANIFEST_INVALID', `${path}: line ${line} ${problem}`, {
    details: { path, line },
  });
}

/** Texts without their line feeds. At most one line of bounded length is in memory. */
async function* linesOf(source: Readable, file: IndexFile): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      line += 1;
      if (end - start > maxLineBytes) throw indexLineInvalid(file, line, 'is too long');
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > maxLineBytes) throw indexLineInvalid(file, line + 1, 'is too long');
  }
  if (rest.length > 0) yield rest.toString('utf8');
}

function parseLine(text: string, file: IndexFile, line: number): IndexLine {
  const declared = parseFile(text, file, line);
  const named = packageFileAt(declared.path);
  if (!named || named.type === 'index')
    throw indexLineInvalid(file, line, 'names no file below records/ or media/');
  return { ...declared, line, position: positionOf(declared, named, { file, line }) };
}

function parseFile(text: string, file: IndexFile, line: number): DeclaredFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw indexLineInvalid(file, line, 'is not valid JSON');
  }
  const parsed = packageFileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const property = issue?.path.join('.') ?? '';
  throw indexLineInvalid(
    file,
    line,
    property === '' ? 'has not exactly path, bytes and sha256' : `has no valid ${property}`,
  );
}

/** Checks what depends on the kind of the file. @returns its place in the package */
function positionOf(
  { path, bytes, sha256 }: DeclaredFile,
  named: Exclude<PackageFile, { type: 'index' }>,
  { file, line }: { file: IndexFile; line: number },
): number {
  const limit = named.type === 'media' ? 'maxBlobBytes' : 'chunkBytes';
  if (bytes > packageLimits[limit]) throw limitExceeded(limit, `Bytes of ${path}`);
  if (named.type === 'media') {
    if (named.sha256 !== sha256) throw indexLineInvalid(file, line, 'has another sha256 than its path names');
    return mediaPosition(file.number, line);
  }
  const number = fileNumberOf(path);
  if (number === 0) throw indexLineInvalid(file, line, 'has the number 0; numbers begin with 1');
  if (bytes === 0) throw indexLineInvalid(file, line, 'declares a file with records without bytes');
  return recordsPosition(named.kind, number);
}
