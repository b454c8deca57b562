import { ClosableCluster } from '../client/closable-cluster.js';
import { createRedis } from '../client/create-redis.js';

const timeoutMs = 2_000;
const noEviction = 'noeviction';

/**
 * What Redis does when its memory is full. Only `noeviction` is right for queues: with another policy it deletes jobs.
 * @returns undefined where the server does not tell, as managed ones; of a cluster, the policy of a primary that has
 * another one than `noeviction`, if there is one
 * @throws the error of the client when Redis does not respond within two seconds
 */
export async function readEvictionPolicy(redisUrl: string): Promise<string | undefined> {
  const client = createRedis(redisUrl, {
    whenDown: 'fail',
    connectTimeoutMs: timeoutMs,
    maxReconnectMs: timeoutMs,
    commandTimeoutMs: timeoutMs,
  });
  // A failed connection rejects the command as well.
  client.on('error', () => undefined);
  try {
    await client.ping();
    const servers = client instanceof ClosableCluster ? client.nodes('master') : [client];
    const answers = await Promise.all(
      servers.map((server) => server.config('GET', 'maxmemory-policy').catch(refused)),
    );
    const policies = answers.flatMap((answer) => (Array.isArray(answer) ? [String(answer[1])] : []));
    return policies.find((policy) => policy !== noEviction) ?? policies[0];
  } finally {
    client.disconnectAll();
  }
}

function refused(error: unknown): undefined {
  if (error instanceof Error && error.name === 'ReplyError') return undefined;
  throw error;
}
