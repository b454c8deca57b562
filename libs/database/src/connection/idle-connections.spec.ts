import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { preferConnection } from './idle-connections.js';

interface Client {
  processID: number;
  schema?: string;
}

const poolOf = (clients: readonly Client[], waitingCount = 0) =>
  ({ _idle: clients.map((client) => ({ client })), waitingCount }) as unknown as pg.Pool & {
    _idle: { client: Client }[];
  };

/** The ids of the idle connections, after the preference of the next request, which takes the last one. */
function idsAfter(pool: ReturnType<typeof poolOf>, schema: string): number[] {
  preferConnection(pool, schema, (client) => (client as unknown as Client).schema === schema);
  return pool._idle.map(({ client }) => client.processID);
}

const clients = Array.from({ length: 10 }, (_, index) => ({ processID: 4_000 + index }));
const schemas = Array.from({ length: 1_000 }, (_, index) => `site_${index}`);

describe('preferConnection', () => {
  it('chooses the connection that was last in the schema', () => {
    const pool = poolOf([
      { processID: 1 },
      { processID: 2, schema: 'a' },
      { processID: 3, schema: 'a' },
      { processID: 4 },
    ]);
    expect(idsAfter(pool, 'a')).toEqual([1, 2, 4, 3]);
    expect(idsAfter(pool, 'a')).toEqual([1, 2, 4, 3]);
  });

  it('leaves those to be handed out in this tick to their requests', () => {
    const pool = poolOf([{ processID: 1, schema: 'a' }, { processID: 2 }, { processID: 3, schema: 'a' }], 1);
    expect(idsAfter(pool, 'a')).toEqual([2, 1, 3]);
    expect(idsAfter(poolOf([{ processID: 1 }], 1), 'a')).toEqual([1]);
    expect(idsAfter(poolOf([]), 'a')).toEqual([]);
  });

  it('else chooses the same one for a schema, in whatever order they were released', () => {
    const chosen = (schema: string, order: readonly Client[]) => idsAfter(poolOf(order), schema).at(-1);
    const byId = new Map<number, number>();
    for (const schema of schemas) {
      const id = chosen(schema, clients) ?? 0;
      expect(chosen(schema, clients.toReversed())).toBe(id);
      byId.set(id, (byId.get(id) ?? 0) + 1);
    }
    expect(byId.size).toBe(clients.length);
    // Each has a tenth of them, more or less.
    for (const count of byId.values()) expect(Math.abs(count - 100)).toBeLessThan(50);
  });

  it('changes the connection of few schemas when one comes or goes', () => {
    const chosen = (schema: string, order: readonly Client[]) => idsAfter(poolOf(order), schema).at(-1);
    const changed = schemas.filter((schema) => chosen(schema, clients) !== chosen(schema, clients.slice(1)));
    expect(changed.every((schema) => chosen(schema, clients) === clients[0]?.processID)).toBe(true);
  });
});
