import type { Readable } from 'node:stream';

export interface StoredObject {
  key: string;
  size: number;
  modifiedAt: Date;
}

export interface PutOptions {
  contentType: string;
  /** Announced number of bytes; another number is an error. A store may need less memory when it is given. */
  size?: number;
  maxBytes?: number;
  signal?: AbortSignal;
}

/** Both bounds are inclusive, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface OpenedObject {
  /** The bytes, or those of the range. A reader that stops before the end destroys the stream. */
  bytes: Readable;
  /** Size of the whole object, independent of the range. */
  size: number;
  modifiedAt: Date;
}

export interface UploadConstraints {
  contentType: string;
  size: number;
  expiresSeconds: number;
}

export interface SignedUpload {
  url: string;
  method: 'PUT';
  /** Headers that the client has to send unchanged. */
  headers: Record<string, string>;
}

/**
 * The store of media files (design 1). A key is `<tenant>/<name>`, see object-keys.ts.
 *
 * Every method throws BadObjectKey for an invalid key and ObjectStoreUnavailable when the store is down, slow or
 * rejects a request; methods that write throw ObjectStoreFull when it has no space.
 */
export interface ObjectStore {
  readonly kind: 'local' | 's3';
  /**
   * Streams bytes to a key. The object appears whole or not at all, also when the source fails, the process dies or
   * `signal` aborts; an existing object is replaced. The source is read to its end or left where it is: the caller ends
   * it, and may still have to respond on the same connection.
   * @returns the size
   * @throws ObjectTooLarge beyond maxBytes, ObjectSizeMismatch when the number of bytes is not `size`, the source's own
   *   error, and the signal's reason; nothing is stored then
   */
  put(key: string, bytes: Readable, options: PutOptions): Promise<{ size: number }>;
  /** Opens an object; undefined when there is none. @throws RangeError when the range is not within the object */
  get(key: string, range?: ByteRange): Promise<OpenedObject | undefined>;
  stat(key: string): Promise<StoredObject | undefined>;
  /**
   * Copies within the store: readers of the target get the whole old or the whole new object.
   * @throws ObjectNotFound without a source
   */
  copy(from: string, to: string): Promise<void>;
  /** Deletes an object; no error when there is none. */
  delete(key: string): Promise<void>;
  /**
   * Deletes objects, many of them in one request where the store can; no error for missing ones. After an error some
   * may be deleted: the call can be repeated.
   */
  deleteMany(keys: readonly string[]): Promise<void>;
  /** Objects whose key begins with the prefix, in byte order. A prefix names its tenant: `<tenant>/…`. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /**
   * An address to which a client uploads; undefined where that is impossible: a folder does not sign, and clients may
   * not reach an S3 store. Signed for the key, exactly this content type and exactly this size, and it expires.
   */
  signUpload(key: string, constraints: UploadConstraints): Promise<SignedUpload | undefined>;
  /** @throws ObjectStoreUnavailable when the store does not respond */
  ping(): Promise<void>;
  close(): Promise<void>;
}
