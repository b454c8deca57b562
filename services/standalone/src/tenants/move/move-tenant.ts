import { allowLongStatements, type Queryable, type TransactionalDatabase } from '@quire/database';
import { QuireError } from '@quire/errors';
import {
  copySite,
  ensureSchema,
  guardWrites,
  liftWriteGuard,
  presentIdOf,
  recordOperatorAction,
  sealWrites,
  selectTenantDatabase,
  updateTenantDatabase,
  updateTenantMove,
  type CopiedSite,
  type OperatorAction,
  type WriteGuard,
} from '@quire/tenancy';
import type { OwnedTables } from '../../migration/migrate-all.js';
import { dropCopies, otherCopies, waitForProcesses } from './drop-copies.js';
import { moveSharedRows } from './move-shared-rows.js';
import { databasesOfPlace, movablePlaces, nameOf, placesAt, tenantAt, type Place } from './places.js';

/** The steps of a move, each reported when it has ended. */
export const moveSteps = [
  'prepared',
  'guarded',
  'copied',
  'sealed',
  'rows-moved',
  'switched',
  'dropped',
] as const;

export type MoveStep = (typeof moveSteps)[number];

/** Seconds for which writes may be rejected: unless given, and at most. */
export const maxPause = { default: 60, max: 3_600 };

export interface MoveDeps {
  /** The schema of the registry. */
  registry: TransactionalDatabase;
  owned: OwnedTables;
  /** Tells all processes of a change of the registry. */
  announce: () => Promise<void>;
}

export interface MoveOptions {
  /** The storage id of the site. */
  id: string;
  /** Key of the new database. */
  to: string | null;
  /** Maximum time for which writes are rejected. A copy that takes longer is given up. */
  maxPauseSeconds: number;
  /** Whether the copy in the former database remains, read-only. */
  keepsCopy: boolean;
  /** Time for requests that have begun before, after every process knows the new database. */
  settleMs: number;
  actor: string;
  onStep?: (step: MoveStep) => void | Promise<void>;
}

/** What a move has done. */
export interface MoveReceipt extends CopiedSite {
  from: string | null;
  /** Milliseconds for which writes were rejected. */
  pauseMs: number;
}

/**
 * Moves a site to another database. It is read all the time; writes are rejected with 503 while it is copied. The
 * transaction of the registry that names the new database is the only switch: before it, the former copy counts, and
 * its guard expires if this process ends; after it, the former copy never changes again. Repeating an interrupted move
 * completes it, or begins it again.
 * @returns undefined when the site was there already
 * @throws QuireError NOT_FOUND; CONFLICT while another move or an import of the site runs; ConfigurationError for
 *   databases that do not fit
 */
export async function moveTenant(deps: MoveDeps, options: MoveOptions): Promise<MoveReceipt | undefined> {
  const { registry, owned, announce } = deps;
  const { id, keepsCopy, settleMs, onStep } = options;
  const moving = exclusively(registry, async (tx) => {
    const { database: from, readOnlyReason } = await databaseOf(tx, id);
    if (readOnlyReason !== null) throw new QuireError('CONFLICT', `A site import of ${id} is running`);
    const places = from === options.to ? [] : await movablePlaces(owned, from, options.to);
    await clearInterruptedMove(deps, { id, from, settleMs });
    return places.length === 0 ? undefined : copyAndSwitch(deps, tx, { ...options, from, places });
  });
  const receipt = await moving.catch(async (error: unknown) => {
    // The jobs of the site wait no longer. If this fails too, that expires.
    await updateTenantMove(registry, id, 0).then(announce, () => undefined);
    throw error;
  });
  if (!receipt) return undefined;
  await announce();
  await onStep?.('switched');
  if (keepsCopy) return receipt;
  await waitForProcesses(registry, settleMs);
  await exclusively(registry, async (tx) => {
    const { database } = await databaseOf(tx, id);
    await dropCopies(await otherCopies(owned, { id, current: database }), id, database);
  });
  await onStep?.('dropped');
  return receipt;
}

/** Runs one move of the installation at a time. The transaction of the registry commits with the end of the work. */
function exclusively<Result>(
  registry: TransactionalDatabase,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return registry.transaction(async (tx) => {
    await allowLongStatements(tx);
    await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('tenant-move', 0))");
    return work(tx);
  });
}

/** @throws QuireError NOT_FOUND */
async function databaseOf(tx: Queryable, id: string) {
  const found = await selectTenantDatabase(tx, id);
  if (!found) throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
  return found;
}

/** Lets the site be written, and drops the copies that an interrupted or a former move has left. */
async function clearInterruptedMove(
  { registry, owned }: MoveDeps,
  { id, from, settleMs }: { id: string; from: string | null; settleMs: number },
): Promise<void> {
  for (const place of (await placesAt(owned, from)).values()) await liftWriteGuard(siteIn(place, id, from));
  const copies = await otherCopies(owned, { id, current: from });
  if (copies.length === 0) return;
  await waitForProcesses(registry, settleMs);
  await dropCopies(copies, id, from);
}

/** All steps until the transaction that switches can commit. A failure lets the site be written again. */
async function copyAndSwitch(
  { registry, owned, announce }: MoveDeps,
  tx: Queryable,
  {
    id,
    from,
    to,
    places,
    maxPauseSeconds,
    actor,
    onStep,
  }: MoveOptions & { from: string | null; places: Place[] },
): Promise<MoveReceipt> {
  for (const place of places) await ensureSchema(databasesOfPlace(place), tenantAt(id, to));
  await onStep?.('prepared');
  // Jobs wait instead of failing; what runs already fails and is repeated.
  await updateTenantMove(registry, id, maxPauseSeconds);
  await announce();
  const startedAt = performance.now();
  const guarded: { site: TransactionalDatabase; guard: WriteGuard }[] = [];
  try {
    for (const place of places) {
      const site = siteIn(place, id, from);
      guarded.push({ site, guard: await guardWrites(site, maxPauseSeconds) });
    }
    await onStep?.('guarded');
    const copied: CopiedSite = { tables: 0, rows: 0, bytes: 0 };
    for (const place of places) {
      const { tables, rows, bytes } = await copySite(siteIn(place, id, from), siteIn(place, id, to), { id });
      copied.tables += tables;
      copied.rows += rows;
      copied.bytes += bytes;
    }
    await onStep?.('copied');
    for (const { site, guard } of guarded) await sealWrites(site, guard);
    await onStep?.('sealed');
    for (const { databases } of owned) await moveSharedRows(databases, { id, from, to });
    await onStep?.('rows-moved');
    const receipt = { ...copied, from, pauseMs: Math.round(performance.now() - startedAt) };
    await recordOperatorAction(tx, actionOf({ id: await presentIdOf(tx, id), to, actor }, receipt));
    if (!(await updateTenantDatabase(tx, { id, from, to })))
      throw new QuireError('CONFLICT', `The tenant ${id} was changed during its move`);
    return receipt;
  } catch (error) {
    // What fails here too expires, or is left to the next run of the command.
    for (const place of places) await liftWriteGuard(siteIn(place, id, from)).catch(() => undefined);
    // No process has read this copy.
    for (const place of places) await dropCopies([{ place, database: to }], id, from).catch(() => undefined);
    throw error;
  }
}

const siteIn = (place: Place, id: string, key: string | null): TransactionalDatabase =>
  databasesOfPlace(place).tenant(tenantAt(id, key));

function actionOf(
  { id, to, actor }: Pick<MoveOptions, 'id' | 'to' | 'actor'>,
  { from, rows, bytes, pauseMs }: MoveReceipt,
): OperatorAction {
  const numbers = { rows: String(rows), bytes: String(bytes), pauseMs: String(pauseMs) };
  return {
    actor,
    action: 'tenant move',
    target: id,
    detail: { from: nameOf(from), to: nameOf(to), ...numbers },
    count: 1,
  };
}
