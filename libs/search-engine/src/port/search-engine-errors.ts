import { QuireError } from '@quire/errors';

const retryAfterSeconds = 2;

/** The engine is down, slow, or rejects a valid request. Its error is the cause, which is only logged. */
export class SearchEngineUnavailable extends QuireError {
  override readonly name = 'SearchEngineUnavailable';
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'The search engine is unavailable. Retry later.', {
      retryAfterSeconds,
      cause,
    });
  }
}

/**
 * The engine has no such index: it was never created, was dropped since its number was read, or its data is lost. The
 * service reads the live generation again; if that is still this one, it requests a rebuild and responds with 503 until
 * the rebuild ends.
 */
export class SearchIndexMissing extends Error {
  override readonly name = 'SearchIndexMissing';
  constructor(
    readonly collectionId: string,
    readonly generation: number,
  ) {
    super(`There is no search index of collection ${collectionId}, generation ${generation}`);
  }
}
