import type { Readable } from 'node:stream';
import { Busboy, type BusboyEvents, type BusboyFileStream } from '@fastify/busboy';
import { invalidInput, QuireError } from '@quire/errors';
import type { StreamedBody } from './streamed-body.js';

const limits = { parts: 32, fieldSize: 64 * 1024, headerPairs: 32, headerSize: 32 * 1024 };

/**
 * The escapes of browsers for characters that a file name in a form cannot have; other escapes in a name belong to it.
 */
const escapes: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** A part with a file. The next part is read after its last byte. */
export interface FilePart {
  /** The last part of the submitted path; undefined when there is none. */
  filename: string | undefined;
  /** Media type in lower case, without parameters. */
  mimeType: string;
  bytes: Readable;
}

/** Handlers of the files of a form, by the name of their field. Files of other fields are skipped. */
export type FileHandlers = Readonly<Record<string, (part: FilePart) => Promise<void>>>;

/**
 * Reads a multipart form as a stream. Fields and files may come in any order.
 * @returns the fields' values, the last of each name
 * @param limit.maxBytes maximum of the whole form, including skipped files
 * @throws QuireError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for another body, VALIDATION_ERROR for a malformed one,
 *   too many parts, too long a field or a second file of a name; errors of a handler; the signal's reason when the
 *   client disconnects. All handlers have ended then.
 */
export async function readMultipart(
  body: StreamedBody,
  fileHandlers: FileHandlers,
  { maxBytes }: { maxBytes: number },
): Promise<Record<string, string>> {
  const parser = parserOf(body.contentType);
  const fields = new Map<string, string>();
  const taken = new Set<string>();
  const open = new Set<BusboyFileStream>();
  const work: Promise<void>[] = [];
  let left = maxBytes;
  let onBytes = (_: Buffer): void => undefined;
  const reading = new Promise<void>((done, reject) => {
    const malformed = (message: string) => reject(invalidInput([{ path: '', message }]));
    const take = async (name: string, bytes: BusboyFileStream, filename: string, mimeType: string) => {
      const fileHandler = Object.hasOwn(fileHandlers, name) ? fileHandlers[name] : undefined;
      if (!fileHandler) return void bytes.resume();
      if (taken.has(name)) throw invalidInput([{ path: name, message: 'must be one file' }]);
      taken.add(name);
      await fileHandler({ filename: unescaped(filename), mimeType: mimeType.toLowerCase(), bytes });
    };
    const onFile: BusboyEvents['file'] = (name, bytes, filename, _encoding, mimeType) => {
      open.add(bytes);
      // An error of a part that is not read any more must not end the process.
      bytes.on('error', () => undefined).once('close', () => open.delete(bytes));
      const taking = take(String(name), bytes, filename, mimeType);
      work.push(taking);
      taking.catch(reject);
    };
    const onField: BusboyEvents['field'] = (name, value, _nameIsCut, valueIsCut) => {
      if (valueIsCut) reject(invalidInput([{ path: String(name), message: 'is too long' }]));
      fields.set(String(name), value);
    };
    parser.on('file', onFile).on('field', onField);
    parser.on('partsLimit', () => malformed(`the form may have ${limits.parts} parts`));
    parser.on('error', () => malformed('the body is not a complete multipart form'));
    parser.once('finish', done);
    body.signal.addEventListener('abort', () => reject(body.signal.reason as Error), { once: true });
    if (body.signal.aborted) reject(body.signal.reason as Error);
    onBytes = ({ length }) => {
      left -= length;
      if (left < 0) reject(new QuireError('PAYLOAD_TOO_LARGE', `A form may have at most ${maxBytes} bytes`));
    };
    body.bytes.on('data', onBytes).pipe(parser);
  });
  try {
    await reading;
    await Promise.all(work);
    return Object.fromEntries(fields);
  } catch (error) {
    body.bytes.off('data', onBytes).unpipe(parser);
    for (const file of open) file.destroy(error as Error);
    await Promise.allSettled(work);
    throw error;
  }
}

/** The name of a file as its user sees it (WHATWG HTML, multipart/form-data encoding). */
function unescaped(filename: string): string {
  return filename.replace(/%22|%0D|%0A/g, (escape) => escapes[escape] ?? escape);
}

function parserOf(contentType: string | undefined) {
  if (contentType === undefined || !/^multipart\/form-data\s*(;|$)/i.test(contentType))
    throw new QuireError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as multipart/form-data');
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch (error) {
    throw new QuireError('VALIDATION_ERROR', 'Content-Type: names no boundary', { cause: error });
  }
}
