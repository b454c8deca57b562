import type pg from 'pg';

/** What pg's pools have in addition to their declared type. */
interface PoolWithIdle {
  /** The last one is the next that the pool hands out. */
  _idle: { client: pg.PoolClient & { processID: number | null } }[];
}

/**
 * Makes the pool hand out the idle connection that suits a schema best, to the request that follows in the same tick:
 * one whose session is in the schema; else the one that the schema has among these connections, so that a server
 * process keeps plans and catalog entries of a part of the sites. Only speed depends on it.
 */
export function preferConnection(
  pool: pg.Pool,
  schema: string,
  isInSchema: (client: pg.PoolClient) => boolean,
): void {
  const { _idle: idle } = pool as unknown as PoolWithIdle;
  // The pool hands out connections in the next tick: the last ones belong to the requests of this one.
  const last = idle.length - 1 - pool.waitingCount;
  if (last < 1) return;
  const chosen = indexOfBest(idle, last, schema, isInSchema);
  if (chosen === last) return;
  idle.splice(last, 0, ...idle.splice(chosen, 1));
}

function indexOfBest(
  idle: PoolWithIdle['_idle'],
  last: number,
  schema: string,
  isInSchema: (client: pg.PoolClient) => boolean,
): number {
  const key = hashOf(schema);
  let best = last;
  let highest = -1;
  for (let index = last; index >= 0; index -= 1) {
    const client = idle[index]?.client;
    if (!client) continue;
    if (isInSchema(client)) return index;
    const weight = mix(key ^ (client.processID ?? 0));
    if (weight <= highest) continue;
    highest = weight;
    best = index;
  }
  return best;
}

/** FNV-1a of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** Distributes the bits of a number: those of process ids differ in few. The result is not negative. */
function mix(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
