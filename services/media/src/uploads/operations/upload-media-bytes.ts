import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import type { JsonText } from '@quire/values';
import { detectType, sampleBytes } from '../../types/index.js';
import { fileTooLargeError, receiveFile } from '../receive-file.js';
import type { UploadDeps } from '../upload-deps.js';
import { assertTypeAllowed, assertTypeMatchesContent, requireMediaType } from '../upload-form.js';
import { storeUpload, type UploadResult } from './upload-media.js';

const chunkBytes = 256 * 1024;

/** A file in memory. */
export interface UploadedBytes {
  filename: string;
  contentType: string;
  bytes: Buffer;
  alt?: string | undefined;
  caption?: string | undefined;
}

/**
 * `uploadMedia` for a file in memory (spec document 2, rule 7). Checks that need no store precede its first byte.
 * @throws QuireError INVALID_TYPE, PAYLOAD_TOO_LARGE, STORAGE_QUOTA_EXCEEDED, NO_STORAGE, SERVICE_UNAVAILABLE.
 */
export async function uploadMediaBytes(
  ctx: Context,
  deps: UploadDeps,
  { filename, contentType, bytes, ...fields }: UploadedBytes,
): Promise<UploadResult | JsonText> {
  const { objects, types } = deps;
  const maxBytes = deps.maxBytesOf(ctx);
  if (bytes.length > maxBytes) throw fileTooLargeError(maxBytes);
  const mimeType = requireMediaType(contentType);
  assertTypeAllowed(mimeType, await types.allowed(ctx, undefined));
  assertTypeMatchesContent(mimeType, await detectType(bytes.subarray(0, sampleBytes)));
  const { signal } = new AbortController();
  const file = await receiveFile(ctx, objects, Readable.from(chunksOf(bytes)), {
    contentType: mimeType,
    maxBytes,
    signal,
  });
  return storeUpload(ctx, deps, { fields, file, mimeType, filename, thumbnail: undefined });
}

/** Chunks as a connection delivers them: hashing one huge chunk would block other requests. */
function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield bytes.subarray(start, start + chunkBytes);
}
