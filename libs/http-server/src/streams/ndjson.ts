import { Readable } from 'node:stream';
import { getRequestIdentity } from '@quire/context';
import { QuireError, toErrorResponse, unexpectedError } from '@quire/errors';
import type { Logger } from '@quire/observability';
import { stringifyJson } from '@quire/values';
import type { FastifyReply } from 'fastify';

export interface NdjsonOptions {
  /** Gets errors that are unexpected; the client gets the id of its request. */
  logger: Pick<Logger, 'error'>;
}

/**
 * The response of a handler as newline-delimited JSON: one object a line, sent when the source yields it. The handler
 * takes the reply with `@Res({ passthrough: true })` and returns the stream.
 *
 * The headers are sent at once, with status 200: what can fail before the first line is checked before the call. A
 * later error is the last line, `{ type: 'error', error: { code, message, details? } }`. A slow client holds the source
 * up: at most one line waits.
 * @param lines opens the source. Its signal aborts when the response ends, also when the client disconnects; the source
 *   is closed then, and its errors are not reported.
 */
export function ndjson(
  reply: FastifyReply,
  lines: (signal: AbortSignal) => AsyncIterable<object>,
  { logger }: NdjsonOptions,
): Readable {
  const ended = new AbortController();
  reply.raw.once('close', () => ended.abort());
  void reply.headers({
    'content-type': 'application/x-ndjson',
    'cache-control': 'private, no-store',
    // Proxies that buffer responses would hold the progress back.
    'x-accel-buffering': 'no',
  });
  const { requestId = 'unknown' } = getRequestIdentity(reply.request.raw) ?? {};
  return Readable.from(textOf(lines(ended.signal), { requestId, logger, signal: ended.signal }), {
    objectMode: true,
    highWaterMark: 1,
  });
}

async function* textOf(
  lines: AsyncIterable<object>,
  { requestId, logger, signal }: NdjsonOptions & { requestId: string; signal: AbortSignal },
): AsyncGenerator<string> {
  // An empty chunk sends the headers: the first line may take minutes.
  yield '';
  try {
    for await (const line of lines) yield `${stringifyJson(line)}\n`;
  } catch (error) {
    if (signal.aborted) return;
    const isExpected = error instanceof QuireError && error.status < 500;
    if (!isExpected) logger.error({ requestId, err: error }, 'streamed response failed');
    const reported = error instanceof QuireError ? error : unexpectedError(requestId);
    yield `${stringifyJson({ type: 'error', error: toErrorResponse(reported).body.error })}\n`;
  }
}
