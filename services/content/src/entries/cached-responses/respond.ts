import type { Context } from '@quire/context';
import { successText } from '@quire/errors';
import { etagOf, type Conditional } from '@quire/http-server';
import type { MediaClient } from '../../clients/index.js';
import { canShowImages, imageState } from '../hydrate-images.js';
import type { ResponseCache, ResponseSource } from './response-cache.js';

/** How a read responds over HTTP: conditionally, and with a body that was serialised before. */
export interface HttpRead {
  conditional: Conditional;
  cache: ResponseCache;
}

interface StateRead {
  /** JSON values that differ when the response does. */
  state: unknown;
  /** The first row, with the column of the version. */
  row: { _version?: string | null } | undefined;
}

interface FullRead<Result> extends StateRead {
  result: Result;
  /** Whether all images have their files. */
  isComplete: boolean;
  /** Whether the response depends on more than its state. */
  hasNoState?: boolean;
}

/** A read of entries that can be answered in steps. */
export interface EntryRead<Result> extends ResponseSource {
  /** Whether further statements read before that of the entries. */
  readsBefore: boolean;
  /** Reads the state only. @param versionColumn SQL to select beside the columns */
  readState(versionColumn: string): Promise<StateRead>;
  read(versionColumn: string): Promise<FullRead<Result>>;
}

/**
 * Answers a read: with a cached response if nothing that it shows has changed, after one small statement; with 304 if
 * the client has the present state; else with the entries.
 * @throws NotModified, and what the reads throw.
 */
export async function respond<Result>(
  ctx: Context,
  media: MediaClient,
  { conditional, cache }: HttpRead,
  read: EntryRead<Result>,
): Promise<Result | Buffer> {
  const { definition } = read;
  const images = await imageState(ctx, media, definition);
  // While the files of images are not known to be current, no response with images is used again.
  const isReusable = images !== null || !canShowImages(definition);
  const cached = isReusable ? cache.open(ctx, { ...read, key: [images, ...read.key] }) : undefined;
  const found = await cached?.find(read);
  if (found && (found.body || conditional.matches(found.etag))) {
    cache.count('hit');
    conditional.throwIfMatches(found.etag);
    if (found.body) return conditional.withJson(found.body, found.etag);
  }
  cache.count('miss');
  const etagOfState = (state: unknown) => etagOf([definition.statementKey, images, state]);
  // The state that was found is another than the client's.
  if (conditional.hasValidators && !found) {
    const { state, row } = await read.readState(cached?.versionColumn ?? '');
    const etag = etagOfState(state);
    cached?.store(row, etag);
    conditional.throwIfMatches(etag);
  }
  const { result, state, row, isComplete, hasNoState = false } = await read.read(cached?.versionColumn ?? '');
  // No validator if a file changed during the read: the next request reads again.
  if (hasNoState || images !== (await imageState(ctx, media, definition))) return result;
  const etag = etagOfState(state);
  const body = ownBytes(successText(result));
  if (isComplete) cached?.store(row, etag, body);
  return conditional.withJson(body, etag);
}

/** The bytes of a text in memory of their own: a cached part of Node's pool would keep all of the pool. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
