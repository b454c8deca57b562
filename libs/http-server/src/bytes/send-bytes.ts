import type { ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseByteRange, type ByteRange } from './byte-range.js';

/** A response with bytes, a part of them, or neither. */
export interface BytesResponse {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string>;
  bytes?: Readable;
}

/** Bytes that a client downloads, and may continue to download after an interruption. */
export interface Download {
  contentType: string;
  /** ASCII. */
  filename: string;
  size: number;
  /** Strong validator in quotes: the same for the same bytes. */
  etag: string;
  /** Opens the bytes, or a part of them. */
  open: (range?: ByteRange) => Promise<Readable>;
}

/**
 * Writes the response. A client that disconnects destroys `bytes`; bytes that fail midway break the connection, since
 * the status is already sent.
 */
export function sendBytes(response: ServerResponse, { status, headers, bytes }: BytesResponse): void {
  response.writeHead(status, headers);
  if (!bytes) {
    response.end();
    return;
  }
  pipeline(bytes, response, (error) => {
    if (error) response.destroy();
  });
}

/** Responds with a download: a Range that follows an If-Range with its validator gets a part (RFC 9110, 14). */
export async function sendDownload(
  { headers: requestHeaders, method }: FastifyRequest,
  reply: FastifyReply,
  download: Download,
): Promise<void> {
  const { size, etag } = download;
  const { 'if-range': ifRange } = requestHeaders;
  const isSame = ifRange === undefined || ifRange === etag;
  const range = isSame ? parseByteRange(requestHeaders.range, size) : undefined;
  const headers: Record<string, string> = {
    'content-type': download.contentType,
    'content-disposition': `attachment; filename="${download.filename}"`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag,
  };
  const respond = (response: BytesResponse) => {
    reply.hijack();
    sendBytes(reply.raw, response);
  };
  if (range === 'unsatisfiable')
    return respond({
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${size}`, 'content-length': '0' },
    });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers['content-length'] = String(end - start + 1);
  if (range) headers['content-range'] = `bytes ${start}-${end}/${size}`;
  const bytes = method === 'HEAD' ? undefined : await download.open(range);
  respond({ status: range ? 206 : 200, headers, ...(bytes && { bytes }) });
}
