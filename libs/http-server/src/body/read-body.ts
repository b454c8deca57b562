import type { Readable } from 'node:stream';
import { QuireError } from '@quire/errors';
import type { BodyReservation } from './body-memory.js';

export interface BodyLimits {
  maxBytes: number;
  /** From the first read to the last byte. */
  timeoutMs: number;
}

/**
 * Receives a body as text (UTF-8).
 * @param contentLength the declared length, if any
 * @param onChunk may reject the body early by throwing
 * @throws QuireError PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE without memory for it, INVALID_REQUEST when it does not
 *   arrive in time or the connection closes; errors of `onChunk`. The rest of the body is then not read.
 */
export async function readBody(
  body: Readable,
  options: {
    contentLength: number | undefined;
    limits: BodyLimits;
    memory: BodyReservation;
    onChunk?: (chunk: Buffer) => void;
  },
): Promise<string> {
  const { contentLength = 0, limits, memory, onChunk } = options;
  if (contentLength > limits.maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      const take = (chunk: Buffer): void => {
        length += chunk.length;
        if (length > limits.maxBytes) throw tooLarge();
        memory.add(chunk.length);
        onChunk?.(chunk);
        chunks.push(chunk);
      };
      const onData = (chunk: Buffer): void => {
        try {
          take(chunk);
        } catch (error) {
          end(() => reject(error as Error));
        }
      };
      const onEnd = () => end(resolve);
      const onBreak = () => end(() => reject(new QuireError('INVALID_REQUEST', 'The body is incomplete')));
      const timer = setTimeout(() => {
        end(() => reject(new QuireError('INVALID_REQUEST', 'The body did not arrive in time')));
      }, limits.timeoutMs);
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        body.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak).pause();
        settle();
      };
      body.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak);
    });
    return Buffer.concat(chunks, length).toString('utf8');
  } finally {
    memory.release();
  }
}

function tooLarge(): QuireError {
  return new QuireError('PAYLOAD_TOO_LARGE', 'The body is larger than this operation takes');
}
