import { redisOptions } from '../connection/redis-options.js';

const timeoutMs = 2_000;

/**
 * What Redis does when its memory is full. Only `noeviction` is right for queues: with another policy it deletes jobs.
 * @returns undefined where the server does not tell, as managed ones
 * @throws the error of the client when Redis does not respond within two seconds
 */
export async function readEvictionPolicy(redisUrl: string): Promise<string | undefined> {
  // The client is loaded only here: programs that only check addresses do not need it.
  const { Redis } = await import('ioredis');
  const client = new Redis({
    ...redisOptions(redisUrl),
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  // A failed connection rejects the command as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const answer = await client.config('GET', 'maxmemory-policy').catch(refused);
    return Array.isArray(answer) ? String(answer[1]) : undefined;
  } finally {
    client.disconnect();
  }
}

function refused(error: unknown): undefined {
  if (error instanceof Error && error.name === 'ReplyError') return undefined;
  throw error;
}
