import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { TcpProxy } from '@quire/testing';
import { waitUntil, type RunningProcess, type TestEnvironment } from './support.js';

/** What is killed. `api`: one of the processes that serve requests. */
const faultKinds = ['worker', 'api', 'database', 'store'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Processes of the arrangement `transfer-separate` that serve requests, by a target of each. */
const apiProcesses = ['gateway', 'content', 'media'];
const maxOutageMs = 150;

/** @returns a function for numbers from 0 to below 1 that follow from the seed */
export function randomNumbers(seed: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed}/${count}`).digest().readUInt32BE() / 2 ** 32;
  };
}

/** Faults of one transfer. It may lose its copies of records five times; each crash of the database empties them. */
const maxFaults = 10;
const maxCrashes = 4;

/** Faults that are still to happen, in a random order. */
export class FaultQueue {
  private pending: FaultKind[];

  /** @param counts faults of each kind */
  constructor(counts: Readonly<Record<FaultKind, number>>, random: () => number) {
    const kinds = faultKinds.flatMap((kind) => Array<FaultKind>(counts[kind]).fill(kind));
    this.pending = shuffled(kinds, random);
  }

  get isEmpty(): boolean {
    return this.pending.length === 0;
  }

  /** Takes the faults of one transfer. */
  take(): FaultKind[] {
    const taken: FaultKind[] = [];
    const left: FaultKind[] = [];
    for (const kind of this.pending) {
      const crashes = taken.filter((each) => each === 'database').length;
      const isPossible = taken.length < maxFaults && (kind !== 'database' || crashes < maxCrashes);
      (isPossible ? taken : left).push(kind);
    }
    this.pending = left;
    return taken;
  }

  /** Returns faults that came after the end of their transfer. */
  putBack(kinds: readonly FaultKind[]): void {
    this.pending = [...kinds, ...this.pending];
  }
}

/** The items in an order that follows from the random numbers. */
function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
}

/**
 * Kills processes and stores of a system. A killed process is started again in the background, so that other faults
 * meet the system without it.
 */
export class Faults {
  private readonly restarts = new Map<string, Promise<void>>();

  constructor(
    private readonly testEnvironment: TestEnvironment,
    private readonly store: TcpProxy,
    private readonly random: () => number,
  ) {}

  /** Kills a part of the system; a store is there again when it returns. */
  async strike(kind: FaultKind): Promise<void> {
    if (kind === 'worker') return this.kill('transfer-worker');
    if (kind === 'api') return this.kill(apiProcesses[Math.floor(this.random() * apiProcesses.length)] ?? '');
    // A process that starts needs its stores.
    await this.end();
    return kind === 'database' ? this.crashDatabase() : this.interrupt(this.store);
  }

  /** Waits until all processes run again. */
  async end(): Promise<void> {
    await Promise.all(this.restarts.values());
  }

  /**
   * Ends all leases and the delays of failed steps: tests do not wait for them. A process that still takes a step loses
   * its lease.
   */
  async endLeases(): Promise<void> {
    await this.testEnvironment.sql.query(
      'UPDATE cms_transfer.transfer_steps SET lease_expires_at = now(), due_at = now()',
    );
  }

  private async kill(target: string): Promise<void> {
    await this.restarts.get(target);
    const running = await this.testEnvironment.processOf(target);
    process.kill(running.pid, 'SIGKILL');
    const restart = this.restart(running);
    // `end` throws its error.
    restart.catch(() => undefined);
    this.restarts.set(target, restart);
  }

  private async restart(killed: RunningProcess): Promise<void> {
    await waitUntil('the process has ended', async () => {
      const { processes } = await this.testEnvironment.installation();
      return processes.every(({ pid }) => pid !== killed.pid);
    });
    await this.endLeases();
    await this.testEnvironment.control('/targets/start', killed);
    await this.endLeases();
  }

  /** Closes all connections, and empties what the recovery of a crashed database empties. */
  private async crashDatabase(): Promise<void> {
    await this.interrupt(this.testEnvironment.database, () => this.emptyUnloggedTables());
  }

  private async interrupt(store: TcpProxy, meanwhile?: () => Promise<void>): Promise<void> {
    await store.disconnect();
    await meanwhile?.();
    await wait(this.random() * maxOutageMs);
    await store.restore();
    await this.endLeases();
  }

  private async emptyUnloggedTables(): Promise<void> {
    const { sql } = this.testEnvironment;
    const { rows } = await sql.query<{ name: string }>(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relpersistence = 'u'",
    );
    await sql.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')}`);
  }
}
