import { PartUpload, maxParts, type UploadContext, type UploadTarget } from './s3-part-upload.js';

const mebibyte = 1024 * 1024;
/** Part size; up to two parts are in memory at a time. */
const defaultPartSize = 8 * mebibyte;

/** A larger object would need more parts than S3 allows. */
export const maxObjectBytes = defaultPartSize * maxParts;

/**
 * Uploads an object: in one request if it fits in one part, else in parts that the store assembles. When it fails, the
 * uploaded parts are removed.
 * @throws errors of the source or the client
 */
export async function upload(
  context: UploadContext,
  target: UploadTarget,
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  let parts: PartUpload | undefined;
  let pending: Buffer | undefined;
  try {
    for await (const part of partsOf(bytes)) {
      if (pending) {
        parts ??= await PartUpload.begin(context, target);
        await parts.send(pending);
      }
      pending = part;
    }
    if (!parts) return await uploadWhole(context, target, pending ?? Buffer.alloc(0));
    if (pending) await parts.send(pending);
    await parts.complete();
  } catch (error) {
    await parts?.abort();
    throw error;
  }
}

/** Collects bytes into buffers of one part each; the last is smaller. */
async function* partsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (let chunk of bytes) {
    while (size + chunk.length >= defaultPartSize) {
      const rest = defaultPartSize - size;
      yield Buffer.concat([...chunks, chunk.subarray(0, rest)], defaultPartSize);
      chunk = chunk.subarray(rest);
      chunks = [];
      size = 0;
    }
    chunks.push(chunk);
    size += chunk.length;
  }
  if (size > 0) yield Buffer.concat(chunks, size);
}

async function uploadWhole(
  { requests, access, timeouts }: UploadContext,
  { key, contentType, signal }: UploadTarget,
  bytes: Buffer,
): Promise<void> {
  const headers = { 'Content-Type': contentType };
  const send = requests.request(
    (client) => client.putObject(access.bucket, key, bytes, bytes.length, headers),
    {
      timeoutMs: timeouts.partMs,
      signal,
    },
  );
  await send;
}
