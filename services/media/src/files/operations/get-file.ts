import type { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { invalidInput, notFound } from '@quire/errors';
import type { ItemRow } from '../../items/index.js';
import type { MediaObjects } from '../../objects/index.js';
import { lookOf, variantParameters, type VariantQuery, type Variants } from '../../variants/index.js';
import { byteRangeOf } from '../byte-range.js';
import { fileHeaders, type ServedFile } from '../file-headers.js';
import { itemOfKey } from '../files.repository.js';

/** What a client asks for of a file. */
export interface FileRequest {
  storageKey: string;
  /** What it is to be, when that is not the file as it was uploaded. */
  query: VariantQuery;
  /** True for HEAD: the answer goes without the bytes. */
  isHeadOnly: boolean;
  range: string | undefined;
  /** Validator on which the range depends. */
  ifRange: string | undefined;
  ifNoneMatch: string | undefined;
}

/** An answer with a file, a part of it, or neither. */
export interface FileAnswer {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string>;
  bytes?: Readable;
}

/**
 * The bytes of a ready item, or of a variant of it, for anybody (contract 11).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR for a variant of what is no image, NO_STORAGE, SERVICE_UNAVAILABLE when the store is
 *   down.
 */
export async function getFile(
  ctx: Context,
  { objects, variants }: { objects: MediaObjects; variants: Variants },
  request: FileRequest,
): Promise<FileAnswer> {
  const item = await itemOfKey(ctx.db, request.storageKey);
  if (!item || item.objectKey === null) throw notFound('file');
  const { objectKey } = item;
  const file = await servedFile(ctx, variants, { ...item, objectKey }, request.query);
  const headers = fileHeaders(file);
  const { etag = '' } = headers;
  if (request.ifNoneMatch !== undefined && matches(request.ifNoneMatch, etag))
    return { status: 304, headers };
  const isSameFile = request.ifRange === undefined || request.ifRange.trim() === etag;
  const range = isSameFile ? byteRangeOf(request.range, file.size) : undefined;
  if (range === 'unsatisfiable') {
    return {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${file.size}`, 'content-length': '0' },
    };
  }
  const length = range ? range.end - range.start + 1 : file.size;
  const answer: FileAnswer = range
    ? {
        status: 206,
        headers: { ...headers, 'content-range': `bytes ${range.start}-${range.end}/${file.size}` },
      }
    : { status: 200, headers };
  answer.headers['content-length'] = String(length);
  if (request.isHeadOnly) return answer;
  const opened = await objects.open(file.objectKey, range);
  if (!opened) throw notFound('file');
  return { ...answer, bytes: opened.bytes };
}

/** The bytes that are asked for. @throws QuireError VALIDATION_ERROR when no such variant can be made of the item. */
async function servedFile(
  ctx: Context,
  variants: Variants,
  item: ItemRow & { objectKey: string },
  query: VariantQuery,
): Promise<ServedFile> {
  const asked = variantParameters(query);
  if (asked.length === 0) return item;
  const look = lookOf(query, item.mimeType);
  const variant = await variants.get(ctx, item, look);
  if (!variant)
    throw invalidInput(asked.map((path) => ({ path, message: 'is for images that can be decoded' })));
  const filename = `${item.filename.replace(/\.[A-Za-z0-9]+$/, '')}.${look.format === 'jpeg' ? 'jpg' : look.format}`;
  return { ...variant, mimeType: `image/${look.format}`, filename };
}

/** Whether one of the validators that a client has names this state; weak ones do too (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
