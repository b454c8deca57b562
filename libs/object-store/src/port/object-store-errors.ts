/** The store is unavailable, slow, or rejects a valid request. Its response is the cause, which is only logged. */
export class ObjectStoreUnavailable extends Error {
  override readonly name = 'ObjectStoreUnavailable';
  constructor(cause: unknown) {
    super('Object store request failed', { cause });
  }
}

/** The store has no space for the bytes: a full disk, or an exceeded quota. */
export class ObjectStoreFull extends Error {
  override readonly name = 'ObjectStoreFull';
  constructor(cause: unknown) {
    super('Object store is full', { cause });
  }
}

/** The source has more bytes than the caller allows. */
export class ObjectTooLarge extends Error {
  override readonly name = 'ObjectTooLarge';
  constructor(readonly maxBytes: number) {
    super(`Object exceeds ${maxBytes} bytes`);
  }
}

/** The source has fewer or more bytes than announced, for example after a client has disconnected. */
export class ObjectSizeMismatch extends Error {
  override readonly name = 'ObjectSizeMismatch';
  constructor(readonly announced: number) {
    super(`Object size differs from the declared ${announced} bytes`);
  }
}

/** The source of a copy does not exist. */
export class ObjectNotFound extends Error {
  override readonly name = 'ObjectNotFound';
  constructor(readonly key: string) {
    super(`Object not found: ${key}`);
  }
}

/** The key is invalid: a bug, or an attempt to leave the tenant. */
export class BadObjectKey extends Error {
  override readonly name = 'BadObjectKey';
  constructor(key: string) {
    super(`Invalid object key: ${JSON.stringify(key.slice(0, 100))}`);
  }
}
