import { createHash } from 'node:crypto';
import type { S3Access, S3Timeouts, S3Requests } from './s3-requests.js';

/** Parts that S3 permits. */
export const maxParts = 10_000;

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

/** A multipart upload. The client's own would resume another upload of the key. */
export class PartUpload {
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

  /** Lets the store copy a part of an object that still has an ETag. Parts may be copied at the same time. */
  async copy(part: number, source: { key: string; etag: string; start: number; end: number }): Promise<void> {
    const { requests, access, timeouts } = this.context;
    const { key, etag, start, end } = source;
    const headers = {
      'x-amz-copy-source': `/${access.bucket}/${key.split('/').map(encodeURIComponent).join('/')}`,
      'x-amz-copy-source-range': `bytes=${start}-${end}`,
      'x-amz-copy-source-if-match': `"${etag}"`,
    };
    const copied = await requests.request(
      (client) =>
        client.uploadPart({
          bucketName: access.bucket,
          objectName: this.target.key,
          uploadID: encodeURIComponent(this.id),
          partNumber: part,
          headers,
        }),
      { timeoutMs: timeouts.moveMs, signal: this.target.signal },
    );
    this.sent.push({ part, etag: copied.etag });
  }

  async complete(): Promise<void> {
    const { requests, access, timeouts } = this.context;
    const parts = [...this.sent].sort((left, right) => left.part - right.part);
    await requests.request(
      (client) => client.completeMultipartUpload(access.bucket, this.target.key, this.id, parts),
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
