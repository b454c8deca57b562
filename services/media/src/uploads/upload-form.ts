import type { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { invalidInput, QuireError, type Issue } from '@quire/errors';
import { readMultipart, type FilePart, type StreamedBody } from '@quire/http-server';
import { parseMediaType } from '@quire/values';
import type { z } from 'zod';
import { isRaster } from '../images/index.js';
import { conflictsWithDetected, detectType, isAllowedType } from '../types/index.js';
import { receiveFile, fileTooLargeError, type ReceivedFile } from './receive-file.js';
import type { UploadDeps } from './upload-deps.js';

const maxThumbnailBytes = 512 * 1024;
/** Maximum size of a form beside its file: the other parts and the boundaries. */
const maxOverheadBytes = 1024 * 1024;

/** A form whose file has been stored. */
export interface UploadForm<Fields> {
  fields: Fields;
  file: ReceivedFile;
  mimeType: string;
  /** The name that the client sent. */
  filename: string | undefined;
  thumbnail: Buffer | undefined;
}

/**
 * Reads the form of an upload and streams its file to the store. A rejected form leaves no object.
 * @throws QuireError NO_FILE, INVALID_TYPE for bytes of another type than the declared one, VALIDATION_ERROR,
 *   PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, SERVICE_UNAVAILABLE, NO_STORAGE.
 */
export async function readUploadForm<Fields extends z.ZodType>(
  ctx: Context,
  deps: UploadDeps,
  body: StreamedBody,
  schema: Fields,
): Promise<UploadForm<z.output<Fields>>> {
  const { objects } = deps;
  const maxBytes = deps.maxBytesOf(ctx);
  const maximumFormBytes = maxBytes + maxOverheadBytes;
  if ((body.contentLength ?? 0) > maximumFormBytes) throw fileTooLargeError(maxBytes);
  if (body.contentType === undefined) throw noFile();
  let part: FilePart | undefined;
  let file: ReceivedFile | undefined;
  let thumbnail: Buffer | undefined;
  const fileHandlers = {
    file: async (taken: FilePart) => {
      part = taken;
      const terms = {
        contentType: requireMediaType(taken.mimeType),
        maxBytes,
        signal: body.signal,
      };
      file = await receiveFile(ctx, objects, taken.bytes, terms);
    },
    thumbnail: async ({ bytes }: FilePart) => {
      thumbnail = await readThumbnail(bytes);
    },
  };
  try {
    const fields = await readMultipart(body, fileHandlers, { maxBytes: maximumFormBytes });
    if (!part || !file || (file.size === 0 && part.filename === '')) throw noFile();
    const mimeType = requireMediaType(part.mimeType);
    if (file.size === 0) throw invalidInput([{ path: 'file', message: 'is empty' }]);
    assertTypeMatchesContent(mimeType, file.detectedType);
    return { fields: parse(schema, fields), file, mimeType, filename: part.filename, thumbnail };
  } catch (error) {
    if (file) await objects.remove(ctx, file.objectKey);
    throw error;
  }
}

/** @throws QuireError INVALID_TYPE when the type is not among the allowed ones. */
export function assertTypeAllowed(mimeType: string, allowed: readonly string[]): void {
  if (isAllowedType(mimeType, allowed)) return;
  const types = allowed.map((type) => (type.endsWith('/') ? `${type}*` : type)).join(', ');
  throw new QuireError('INVALID_TYPE', `Files of type ${mimeType} are not allowed, only ${types}`);
}

/** @throws QuireError INVALID_TYPE when the bytes have another type. */
export function assertTypeMatchesContent(mimeType: string, detectedType: string | undefined): void {
  if (conflictsWithDetected(mimeType, detectedType))
    throw new QuireError('INVALID_TYPE', `The content of the file is not ${mimeType}`);
}

/** @throws QuireError INVALID_TYPE for a malformed media type. */
export function requireMediaType(text: string): string {
  const type = parseMediaType(text);
  if (type === undefined) throw new QuireError('INVALID_TYPE', 'The file has no media type');
  return type;
}

function noFile(): QuireError {
  return new QuireError('NO_FILE', 'The form must contain a file in the field "file"');
}

/**
 * Reads the thumbnail. Browsers send an empty part for an empty field, which counts as absent.
 * @throws QuireError INVALID_TYPE for another file than a raster image, VALIDATION_ERROR for a large one.
 */
async function readThumbnail(bytes: Readable): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxThumbnailBytes)
      throw invalidInput([{ path: 'thumbnail', message: `must have at most ${maxThumbnailBytes} bytes` }]);
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
