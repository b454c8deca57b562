import { PartUpload, type UploadContext } from './s3-part-upload.js';

const gibibyte = 1024 * 1024 * 1024;

/** How objects are copied. */
export interface CopyLimits {
  /** S3 copies larger objects in parts only. */
  wholeBytes: number;
  partBytes: number;
}

export const defaultCopyLimits: CopyLimits = { wholeBytes: 5 * gibibyte, partBytes: gibibyte };

/** Parts that the store copies at a time. */
const concurrentParts = 4;
const defaultContentType = 'application/octet-stream';

/**
 * Lets the store copy an object inside the bucket, a large one in parts. When that fails, the copied parts are removed.
 * @throws errors of the client; one of a missing object without a source
 */
export async function copyObject(
  context: UploadContext,
  { from, to }: { from: string; to: string },
  { wholeBytes, partBytes }: CopyLimits,
): Promise<void> {
  const { requests, access, timeouts } = context;
  const { bucket } = access;
  const { size, etag, metaData } = await requests.request((client) => client.statObject(bucket, from), {
    timeoutMs: timeouts.responseMs,
  });
  if (size > wholeBytes) {
    const contentType = String(metaData['content-type'] ?? defaultContentType);
    await copyLarge(context, { from: { key: from, etag, size }, to, contentType }, partBytes);
    return;
  }
  const limits = { timeoutMs: timeouts.moveMs };
  await requests.request((client) => client.copyObject(bucket, to, `/${bucket}/${from}`), limits);
}

interface Source {
  key: string;
  etag: string;
  size: number;
}

async function copyLarge(
  context: UploadContext,
  { from, to, contentType }: { from: Source; to: string; contentType: string },
  partBytes: number,
): Promise<void> {
  const upload = await PartUpload.begin(context, { key: to, contentType });
  try {
    await copyParts(upload, from, partBytes);
    await upload.complete();
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

/** Copies all parts, some at a time. After a failure no further part is begun, and those that have begun end. */
async function copyParts(upload: PartUpload, { key, etag, size }: Source, partBytes: number): Promise<void> {
  const count = Math.ceil(size / partBytes);
  let next = 0;
  const copySome = async () => {
    while (next < count) {
      const index = next++;
      const start = index * partBytes;
      const end = Math.min(start + partBytes, size) - 1;
      await upload.copy(index + 1, { key, etag, start, end }).catch((error: unknown) => {
        next = count;
        throw error;
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: concurrentParts }, copySome));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}
