import type { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { invalidInput, QuireError, type Issue } from '@quire/errors';
import { readMultipart, type FilePart, type StreamedBody } from '@quire/http-server';
import type { z } from 'zod';
import { isRaster } from '../images/index.js';
import { contradicts, detectType, isAllowed, plainType } from '../types/index.js';
import { receiveFile, tooLarge, type ReceivedFile } from './receive-file.js';
import type { UploadServices } from './upload-services.js';

const maximumThumbnailBytes = 512 * 1024;
/** What a form may have beside its file: its other parts and what divides them. */
const maximumOverheadBytes = 1024 * 1024;

/** A form with a file that lies in the store. */
export interface UploadForm<Fields> {
  fields: Fields;
  file: ReceivedFile;
  mimeType: string;
  /** As the client told it. */
  filename: string | undefined;
  thumbnail: Buffer | undefined;
}

/**
 * Reads the form of an upload, its file to the store. Whatever is refused leaves nothing there.
 * @throws QuireError NO_FILE, INVALID_TYPE for bytes of another type than the declared one, VALIDATION_ERROR, PAYLOAD_TOO_LARGE,
 *   UNSUPPORTED_MEDIA_TYPE, SERVICE_UNAVAILABLE, NO_STORAGE.
 */
export async function readUploadForm<Fields extends z.ZodType>(
  ctx: Context,
  { objects, maximumBytes }: UploadServices,
  body: StreamedBody,
  schema: Fields,
): Promise<UploadForm<z.output<Fields>>> {
  const maximumFormBytes = maximumBytes + maximumOverheadBytes;
  if ((body.contentLength ?? 0) > maximumFormBytes) throw tooLarge(maximumBytes);
  if (body.contentType === undefined) throw noFile();
  let part: FilePart | undefined;
  let file: ReceivedFile | undefined;
  let thumbnail: Buffer | undefined;
  const takers = {
    file: async (taken: FilePart) => {
      part = taken;
      const terms = { contentType: requireType(taken.mimeType), maxBytes: maximumBytes, signal: body.signal };
      file = await receiveFile(ctx, objects, taken.bytes, terms);
    },
    thumbnail: async ({ bytes }: FilePart) => {
      thumbnail = await readThumbnail(bytes);
    },
  };
  try {
    const fields = await readMultipart(body, takers, { maximumBytes: maximumFormBytes });
    if (!part || !file || (file.size === 0 && part.filename === '')) throw noFile();
    const mimeType = requireType(part.mimeType);
    if (file.size === 0) throw invalidInput([{ path: 'file', message: 'is empty' }]);
    requireHonest(mimeType, file.detectedType);
    return { fields: parse(schema, fields), file, mimeType, filename: part.filename, thumbnail };
  } catch (error) {
    if (file) await objects.remove(ctx, file.objectKey);
    throw error;
  }
}

/** @throws QuireError INVALID_TYPE when the type is not among the allowed ones. */
export function requireAllowed(mimeType: string, allowed: readonly string[]): void {
  if (!isAllowed(mimeType, allowed))
    throw new QuireError('INVALID_TYPE', `Files of type ${mimeType} are not taken here`);
}

/** @throws QuireError INVALID_TYPE when the bytes are of another type. */
export function requireHonest(mimeType: string, detectedType: string | undefined): void {
  if (contradicts(mimeType, detectedType))
    throw new QuireError('INVALID_TYPE', `The file is not ${mimeType}, which it is said to be`);
}

/** @throws QuireError INVALID_TYPE for what is no media type. */
export function requireType(text: string): string {
  const type = plainType(text);
  if (type === undefined) throw new QuireError('INVALID_TYPE', 'The file has no media type');
  return type;
}

function noFile(): QuireError {
  return new QuireError('NO_FILE', 'Send the file in the field "file"');
}

/**
 * A form that was left blank sends an empty one, which counts as none.
 * @throws QuireError INVALID_TYPE for what is no raster image, VALIDATION_ERROR for a large one.
 */
async function readThumbnail(bytes: Readable): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumThumbnailBytes)
      throw invalidInput([
        { path: 'thumbnail', message: `must have ${maximumThumbnailBytes} bytes at most` },
      ]);
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  const thumbnail = Buffer.concat(chunks);
  const type = await detectType(thumbnail);
  if (type === undefined || !(isRaster(type) || type === 'image/apng'))
    throw new QuireError('INVALID_TYPE', 'The thumbnail must be a PNG, JPEG, GIF, WebP, AVIF or TIFF image');
  return thumbnail;
}

function parse<Fields extends z.ZodType>(schema: Fields, fields: Record<string, string>): z.output<Fields> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  throw invalidInput(
    parsed.error.issues.map(({ path, message }): Issue => ({ path: path.join('.'), message })),
  );
}
