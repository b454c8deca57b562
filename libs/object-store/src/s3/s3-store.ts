import type { IncomingMessage } from 'node:http';
import { addAbortSignal, type Readable } from 'node:stream';
import { sizeLimitStream } from '../port/size-limit-stream.js';
import { parseKey, parsePrefix } from '../port/object-keys.js';
import { ObjectNotFound } from '../port/object-store-errors.js';
import type {
  ByteRange,
  ObjectStore,
  OpenedObject,
  PutOptions,
  SignedUpload,
  StoredObject,
  UploadConstraints,
} from '../port/object-store.js';
import { withStallTimeout } from './with-stall-timeout.js';
import { S3Bucket } from './s3-bucket.js';
import { copyObject, defaultCopyLimits, type CopyLimits } from './s3-copy.js';
import { deleteObjects } from './s3-deletion.js';
import { throwStoreError, undefinedIfMissing } from './s3-errors.js';
import { S3Requests, defaultTimeouts, type S3Access, type S3Timeouts } from './s3-requests.js';
import { maxObjectBytes, upload } from './s3-upload.js';
import { signUpload } from './sign-upload.js';

export interface S3StoreOptions extends S3Access {
  /** Origin at which clients reach the store; without it nothing is signed for them. */
  publicEndpoint: string | undefined;
  timeouts?: S3Timeouts;
  copyLimits?: CopyLimits;
}

/** Objects in a bucket of an S3 store. It connects at the first use, so the store may be down at the start. */
export function createS3Store(options: S3StoreOptions): ObjectStore {
  return new S3Store(options, options.timeouts ?? defaultTimeouts);
}

class S3Store implements ObjectStore {
  readonly kind = 's3';
  private readonly requests: S3Requests;
  private readonly bucket: S3Bucket;

  constructor(
    private readonly options: S3StoreOptions,
    private readonly timeouts: S3Timeouts,
  ) {
    this.requests = new S3Requests(options);
    this.bucket = new S3Bucket(this.requests, options, timeouts);
  }

  async put(key: string, source: Readable, options: PutOptions): Promise<{ size: number }> {
    parseKey(key);
    const { contentType, signal, size: announced, maxBytes = maxObjectBytes } = options;
    signal?.throwIfAborted();
    const limits = { size: announced, maxBytes: Math.min(maxBytes, maxObjectBytes) };
    const { bytes, size, failure } = sizeLimitStream(source, limits);
    if (signal) addAbortSignal(signal, bytes);
    const { requests, timeouts, options: access } = this;
    try {
      await this.bucket.ready();
      await upload({ requests, timeouts, access }, { key, contentType, signal }, bytes);
    } catch (error) {
      signal?.throwIfAborted();
      throw failure() ?? throwStoreError(error);
    } finally {
      bytes.destroy();
    }
    return { size: size() };
  }

  async get(key: string, range?: ByteRange): Promise<OpenedObject | undefined> {
    parseKey(key);
    if (range && !isRange(range)) throw new RangeError('Invalid range');
    await this.bucket.ready();
    const response = await this.open(key, range).catch(undefinedIfMissing);
    if (!response) return undefined;
    const size = sizeOf(response);
    if (range && range.end >= size) {
      response.destroy();
      throw new RangeError(`The object has ${size} bytes`);
    }
    const modifiedAt = new Date(String(response.headers['last-modified']));
    return { bytes: withStallTimeout(response, this.timeouts.responseMs), size, modifiedAt };
  }

  async stat(key: string): Promise<StoredObject | undefined> {
    parseKey(key);
    await this.bucket.ready();
    const found = await this.requests
      .request((client) => client.statObject(this.options.bucket, key), this.responseTimeout)
      .catch(undefinedIfMissing);
    return found && { key, size: found.size, modifiedAt: found.lastModified };
  }

  async copy(from: string, to: string): Promise<void> {
    for (const key of [from, to]) parseKey(key);
    await this.bucket.ready();
    const { requests, timeouts, options: access } = this;
    const limits = access.copyLimits ?? defaultCopyLimits;
    await copyObject({ requests, timeouts, access }, { from, to }, limits).catch((error: unknown) => {
      if (undefinedIfMissing(error) === undefined) throw new ObjectNotFound(from);
    });
  }

  async delete(key: string): Promise<void> {
    parseKey(key);
    await this.bucket.ready();
    await this.requests
      .request((client) => client.removeObject(this.options.bucket, key), this.responseTimeout)
      .catch(undefinedIfMissing);
  }

  async deleteMany(keys: readonly string[]): Promise<void> {
    for (const key of keys) parseKey(key);
    await this.bucket.ready();
    const { requests, timeouts, options: access } = this;
    await deleteObjects({ requests, timeouts, access }, keys).catch(throwStoreError);
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    parsePrefix(prefix);
    await this.bucket.ready();
    let token = '';
    do {
      const page = await this.requests
        .request(
          (client) => client.listObjectsV2Query(this.options.bucket, prefix, token, '', 1_000, ''),
          this.responseTimeout,
        )
        .catch(throwStoreError);
      for (const { name, size, lastModified } of page.objects)
        if (name !== undefined && lastModified !== undefined)
          yield { key: name, size, modifiedAt: lastModified };
      token = page.isTruncated ? page.nextContinuationToken : '';
    } while (token !== '');
  }

  async signUpload(key: string, constraints: UploadConstraints): Promise<SignedUpload | undefined> {
    parseKey(key);
    const { publicEndpoint } = this.options;
    if (publicEndpoint === undefined) return undefined;
    await this.bucket.ready();
    return signUpload(this.options, publicEndpoint, key, constraints);
  }

  ping(): Promise<void> {
    return this.bucket.ping();
  }

  close(): Promise<void> {
    this.requests.close();
    return Promise.resolve();
  }

  private get responseTimeout(): { timeoutMs: number } {
    return { timeoutMs: this.timeouts.responseMs };
  }

  private async open(key: string, range?: ByteRange): Promise<IncomingMessage> {
    const { bucket } = this.options;
    const opening = this.requests.request(
      (client) =>
        range
          ? client.getPartialObject(bucket, key, range.start, range.end - range.start + 1)
          : client.getObject(bucket, key),
      this.responseTimeout,
    );
    return (await opening) as IncomingMessage;
  }
}

function isRange({ start, end }: ByteRange): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end;
}

/** Size of the whole object from a response that may have a part of it. */
function sizeOf({ headers }: IncomingMessage): number {
  const ofRange = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1];
  return Number(ofRange ?? headers['content-length']);
}
