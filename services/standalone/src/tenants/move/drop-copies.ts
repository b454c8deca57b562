import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '@quire/database';
import { hasPresentRegistry, removeTenant, tenantSchema } from '@quire/tenancy';
import type { OwnedTables } from '../../migration/migrate-all.js';
import { moveSharedRows } from './move-shared-rows.js';
import { databasesOfPlace, placesAt, tenantAt, type Place } from './places.js';

const pollMs = 1_000;
/** After this time no process uses a registry that it has not compared with the database. */
const maxWaitMs = 300_000;

/** A copy of a site in a database that the registry does not name. */
export interface Copy {
  place: Place;
  database: string | null;
}

/**
 * The copies of a site in databases other than those of a key.
 * @param options.isComplete whether a database that does not respond is an error; else it is left out
 */
export async function otherCopies(
  owned: OwnedTables,
  { id, current, isComplete = false }: { id: string; current: string | null; isComplete?: boolean },
): Promise<Copy[]> {
  const known = new Set((await placesAt(owned, current)).keys());
  const copies: Copy[] = [];
  for (const database of new Set(owned.flatMap(({ databases }) => databases.keys))) {
    const here = owned.filter(({ databases }) => databases.keys.includes(database));
    try {
      await Promise.all(here.map(({ databases }) => databases.ping(database)));
    } catch (error) {
      if (isComplete) throw error;
      continue;
    }
    for (const [name, place] of await placesAt(here, database)) {
      if (known.has(name)) continue;
      known.add(name);
      if (await hasSchema(place, id, database)) copies.push({ place, database });
    }
  }
  return copies;
}

/** Drops copies of a site. The rows that they have in tables across sites go to the database of the site. */
export async function dropCopies(copies: readonly Copy[], id: string, current: string | null): Promise<void> {
  for (const { place, database } of copies)
    for (const { databases, tables } of place) {
      await moveSharedRows(databases, { id, from: database, to: current });
      await removeTenant(databases, tables, tenantAt(id, database));
    }
}

/** Removes copies of a site that is purged. Work of theirs ends as that of the site. */
export async function removeCopies(copies: readonly Copy[], id: string): Promise<void> {
  for (const { place, database } of copies)
    for (const { databases, tables } of place) await removeTenant(databases, tables, tenantAt(id, database));
}

/**
 * Waits until every running process uses the present registry, and a while longer for the requests that have begun
 * before.
 * @param registry its schema
 */
export async function waitForProcesses(registry: Queryable, settleMs: number): Promise<void> {
  const endsAt = performance.now() + maxWaitMs;
  while (!(await hasPresentRegistry(registry)) && performance.now() < endsAt) await wait(pollMs);
  await wait(settleMs);
}

async function hasSchema(place: Place, id: string, database: string | null): Promise<boolean> {
  const found = await databasesOfPlace(place)
    .inSchema('pg_catalog', database)
    .query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [tenantSchema({ id })]);
  return found.length > 0;
}
