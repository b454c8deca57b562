import type { Readable } from 'node:stream';

export interface StoredObject {
  key: string;
  size: number;
  modifiedAt: Date;
}

export interface PutOptions {
  contentType: string;
  /** How many bytes there will be; another count is refused. A store may need less memory when it knows. */
  size?: number;
  maxBytes?: number;
  signal?: AbortSignal;
}

/** Both ends belong to the range, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface OpenedObject {
  /** The bytes, or those of the range. A reader that stops before the end destroys the stream. */
  bytes: Readable;
  /** Of the whole object, whatever the range is. */
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
  /** Headers that the client has to send, as they are. */
  headers: Record<string, string>;
}

/**
 * Where the bytes of media are (design 1). A key is `<tenant>/<name>`, see object-keys.ts.
 *
 * Every method throws BadObjectKey for a key that is none, ObjectStoreUnavailable when the store is down, slow or
 * refuses, and those that write throw ObjectStoreFull when it has no room.
 */
export interface ObjectStore {
  readonly kind: 'local' | 's3';
  /**
   * Streams bytes to a key. The object appears whole or not at all, also when the source fails, the process dies or
   * `signal` aborts; one that is there is replaced. The source is read to its end or left where it is: ending it stays
   * with the caller, who may want to answer on the same connection.
   * @returns the size
   * @throws ObjectTooLarge beyond maxBytes, ObjectSizeMismatch when `size` is not what came, the source's own error,
   *   and the signal's reason; nothing is stored then
   */
  put(key: string, bytes: Readable, options: PutOptions): Promise<{ size: number }>;
  /** Opens an object; undefined when there is none. @throws RangeError when the range is not within the object */
  get(key: string, range?: ByteRange): Promise<OpenedObject | undefined>;
  stat(key: string): Promise<StoredObject | undefined>;
  /**
   * Copies within the store: the target is the whole old or the whole new object.
   * @throws ObjectNotFound without a source
   */
  copy(from: string, to: string): Promise<void>;
  /** Deletes an object; no error when there is none. */
  delete(key: string): Promise<void>;
  /** Objects whose key begins with the prefix, in byte order. A prefix names its tenant: `<tenant>/…`. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /**
   * Where a client puts bytes itself; undefined when it cannot: a folder does not sign, and an S3 store may be out of
   * reach for clients. Signed for the key, exactly this content type and exactly this size, and it expires.
   */
  signUpload(key: string, terms: UploadConstraints): Promise<SignedUpload | undefined>;
  /** @throws ObjectStoreUnavailable when the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
