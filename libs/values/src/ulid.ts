import { randomFillSync } from 'node:crypto';
import { ulid as ulidOf } from 'ulid';

/** Random bytes that are fetched at once; an id needs sixteen. */
const pool = new Uint8Array(4096);
let next = pool.length;

function randomFraction(): number {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const byte = pool[next] ?? 0;
  // A byte that has become part of an id must not stay in memory.
  pool[next] = 0;
  next += 1;
  return byte / 256;
}

/** A new ULID. The package's own source of randomness asks the operating system for each of its characters. */
export function ulid(): string {
  return ulidOf(undefined, randomFraction);
}
