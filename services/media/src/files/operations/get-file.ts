import type { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { MediaObjects } from '../../objects/index.js';
import { byteRangeOf } from '../byte-range.js';
import { fileHeaders } from '../file-headers.js';
import { itemOfKey } from '../files.repository.js';

/** What a client asks for of a file. */
export interface FileRequest {
  storageKey: string;
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
 * The bytes of a ready item, for anybody (contract 11).
 * @throws QuireError NOT_FOUND, SERVICE_UNAVAILABLE when the store is down.
 */
export async function getFile(
  ctx: Context,
  objects: MediaObjects,
  request: FileRequest,
): Promise<FileAnswer> {
  const item = await itemOfKey(ctx.db, request.storageKey);
  if (!item || item.objectKey === null) throw notFound('file');
  const headers = fileHeaders(item);
  const { etag = '' } = headers;
  if (request.ifNoneMatch !== undefined && matches(request.ifNoneMatch, etag))
    return { status: 304, headers };
  const isSameFile = request.ifRange === undefined || request.ifRange.trim() === etag;
  const range = isSameFile ? byteRangeOf(request.range, item.size) : undefined;
  if (range === 'unsatisfiable') {
    return {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${item.size}`, 'content-length': '0' },
    };
  }
  const length = range ? range.end - range.start + 1 : item.size;
  const answer: FileAnswer = range
    ? {
        status: 206,
        headers: { ...headers, 'content-range': `bytes ${range.start}-${range.end}/${item.size}` },
      }
    : { status: 200, headers };
  answer.headers['content-length'] = String(length);
  if (request.isHeadOnly) return answer;
  const opened = await objects.open(item.objectKey, range);
  if (!opened) throw notFound('file');
  return { ...answer, bytes: opened.bytes };
}

/** Whether one of the validators that a client has names this state; weak ones do too (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
