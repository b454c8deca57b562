import { parseKey } from '../port/object-keys.js';
import { ObjectStoreUnavailable } from '../port/object-store-errors.js';
import { errorCodeOf, throwStoreError } from './s3-errors.js';
import type { S3Access, S3Timeouts, S3Requests } from './s3-requests.js';

const staleAfterMs = 24 * 60 * 60 * 1000;
/** Created by another process, or by this one in a request whose response was lost. */
const bucketExistsCodes = ['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'];

/** The bucket of the installation: created at its first use if it is missing. */
export class S3Bucket {
  private opening: Promise<void> | undefined;

  constructor(
    private readonly requests: S3Requests,
    private readonly access: S3Access,
    private readonly timeouts: S3Timeouts,
  ) {}

  /** Waits until the bucket exists. @throws ObjectStoreUnavailable when it is missing and cannot be created */
  ready(): Promise<void> {
    if (!this.opening) {
      this.opening = this.open();
      // The next call retries.
      this.opening.catch(() => (this.opening = undefined));
    }
    return this.opening;
  }

  /** @throws ObjectStoreUnavailable when the store does not respond for the bucket */
  async ping(): Promise<void> {
    await this.ready();
    if (!(await this.exists())) throw new ObjectStoreUnavailable(new Error('bucket does not exist'));
  }

  private async open(): Promise<void> {
    if (!(await this.exists())) await this.make();
    void this.sweep();
  }

  private async exists(): Promise<boolean> {
    const { bucket } = this.access;
    const request = this.requests.request((client) => client.bucketExists(bucket), this.limits);
    return request.catch((error: unknown) => {
      if (errorCodeOf(error) !== 'AccessDenied') return throwStoreError(error);
      const reason = `S3_ACCESS_KEY and S3_SECRET_KEY are wrong, or give no access to the bucket ${bucket}`;
      throw new ObjectStoreUnavailable(new Error(reason, { cause: error }));
    });
  }

  private async make(): Promise<void> {
    const { bucket, region } = this.access;
    const request = this.requests.request((client) => client.makeBucket(bucket, region), this.limits);
    await request.catch((error: unknown) => {
      if (bucketExistsCodes.includes(errorCodeOf(error) ?? '')) return;
      const reason = `Bucket ${bucket} (S3_BUCKET) does not exist and could not be created. Create it.`;
      throw new ObjectStoreUnavailable(new Error(reason, { cause: error }));
    });
  }

  /**
   * Aborts multipart uploads that are at least a day old: their process died, and their invisible parts use storage.
   */
  private async sweep(): Promise<void> {
    try {
      for (const { key, uploadId } of await this.staleUploads())
        await this.requests.request(
          (client) => client.abortMultipartUpload(this.access.bucket, key, uploadId),
          this.limits,
        );
    } catch {
      // Some stores do not list uploads, and a rule of the bucket may end them as well. The next start retries.
    }
  }

  /** The first thousand of them; there are fewer. */
  private async staleUploads(): Promise<{ key: string; uploadId: string }[]> {
    const { uploads } = await this.requests.request(
      (client) => client.listIncompleteUploadsQuery(this.access.bucket, '', '', '', ''),
      this.limits,
    );
    const before = Date.now() - staleAfterMs;
    return uploads.filter(({ key, initiated }) => isOurs(key) && Number(new Date(initiated)) < before);
  }

  private get limits(): { timeoutMs: number } {
    return { timeoutMs: this.timeouts.responseMs };
  }
}

function isOurs(key: string): boolean {
  try {
    return parseKey(key) !== undefined;
  } catch {
    return false;
  }
}
