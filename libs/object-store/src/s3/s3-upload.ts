import { createHash } from 'node:crypto';
import type { S3Access, S3Timeouts, S3Requests } from './s3-requests.js';

const mebibyte = 1024 * 1024;
/** Part size; up to two parts are in memory at a time. */
const defaultPartSize = 8 * mebibyte;
const maxParts = 10_000;

/** A larger object would need more parts than S3 allows. */
export const maxObjectBytes = defaultPartSize * maxParts;

export interface UploadContext {
  requests: S3Requests;
  access: S3Access;
  timeouts: S3Timeouts;
}

export interface UploadTarget {
  key: string;
  contentType: string;
  signal?: AbortSignal;
}

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

/** A multipart upload. The client's own would resume another upload of the key. */
class PartUpload {
  private readonly sent: { part: number; etag: string }[] = [];

  private constructor(
    private readonly context: UploadContext,
    private readonly target: UploadTarget,
    private readonly id: string,
  ) {}

  static async begin(context: UploadContext, target: UploadTarget): Promise<PartUpload> {
    const { requests, access, timeouts } = context;
    const headers = { 'Content-Type': target.contentType };
    const id = await requests.request(
      (client) => client.initiateNewMultipartUpload(access.bucket, target.key, headers),
      { timeoutMs: timeouts.responseMs, signal: target.signal },
    );
    return new PartUpload(context, target, String(id));
  }

  async send(bytes: Buffer): Promise<void> {
    const { requests, access, timeouts } = this.context;
    const part = this.sent.length + 1;
    const md5 = createHash('md5').update(bytes).digest('base64');
    const request = () => ({
      method: 'PUT',
      bucketName: access.bucket,
      objectName: this.target.key,
      query: `partNumber=${part}&uploadId=${encodeURIComponent(this.id)}`,
      headers: { 'Content-MD5': md5 },
    });
    const response = await requests.request((client) => client.makeRequestAsyncOmit(request(), bytes), {
      timeoutMs: timeouts.partMs,
      signal: this.target.signal,
    });
    const etag = response.headers.etag?.replaceAll('"', '');
    if (etag === undefined) throw new Error('S3 returned no ETag for an uploaded part');
    this.sent.push({ part, etag });
  }

  async complete(): Promise<void> {
    const { requests, access, timeouts } = this.context;
    await requests.request(
      (client) => client.completeMultipartUpload(access.bucket, this.target.key, this.id, this.sent),
      // A retry would fail with an unknown upload, because the first request has completed it.
      { timeoutMs: timeouts.moveMs, signal: this.target.signal, isRepeatable: false },
    );
  }

  /** Removes the parts; when that fails too, the sweep of a later start does it. */
  async abort(): Promise<void> {
    const { requests, access, timeouts } = this.context;
    const remove = requests.request(
      (client) => client.abortMultipartUpload(access.bucket, this.target.key, this.id),
      { timeoutMs: timeouts.responseMs, isRepeatable: false },
    );
    await remove.catch(() => undefined);
  }
}
