import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { importPhases, type ImportPhase } from './import.entity.js';
import { insertIssues, type NewIssue } from './import-issues.repository.js';
import {
  countItemStates,
  countSkippedContent,
  deleteItems,
  updateItemResults,
  type ItemResult,
} from './import-items.repository.js';
import { noItems, type ImportCounts, type ItemCounts } from './import-state.js';
import { importSteps, type LeasedImport } from './import-steps.repository.js';
import { updateImport, type ImportRow } from './imports.repository.js';

/** Another worker has taken the import over: this one writes nothing more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** What a step has done. */
export interface StepResult {
  /** The last position that is done. */
  cursor: number;
  results?: readonly ItemResult[];
  issues?: readonly NewIssue[];
  /** Changes counts; gets a copy of the present ones. */
  count?: (counts: ImportCounts) => void;
}

/** The progress of an import whose lease this worker holds. */
export class ImportProgress {
  constructor(
    private readonly ctx: Context,
    /** The stored state after the last step. */
    public row: ImportRow,
    private readonly leased: LeasedImport,
  ) {}

  /** Whether no phase is left. */
  get isDone(): boolean {
    return this.row.phase === 'end';
  }

  /** Whether no further step may be taken until a user resumes the import. */
  get isPaused(): boolean {
    return this.row.state !== 'running';
  }

  /**
   * Records a step and extends the lease, in one transaction.
   * @throws LeaseLostError when another worker has the lease: then nothing is recorded
   */
  async record({ cursor, results = [], issues = [], count }: StepResult): Promise<void> {
    await this.write(async (tx) => {
      const { id, counts: before } = this.row;
      await updateItemResults(tx, id, results);
      await insertIssues(tx, id, issues, before);
      const counts = structuredClone(before);
      counts.phase.done += results.length;
      for (const { severity } of issues) counts[severity === 'error' ? 'errors' : 'warnings'] += 1;
      count?.(counts);
      return { cursor, counts, attempts: 0 };
    });
  }

  /** Begins the next phase. */
  async nextPhase(): Promise<void> {
    const phase = followingPhase(this.row.phase);
    await this.write(() =>
      Promise.resolve({
        phase,
        cursor: 0,
        counts: { ...structuredClone(this.row.counts), phase: { done: 0, total: 0 } },
      }),
    );
  }

  /** Records how many objects the phase has. */
  async begin(total: number): Promise<void> {
    const counts = { ...structuredClone(this.row.counts), phase: { done: 0, total } };
    await this.write(() => Promise.resolve({ counts }));
  }

  /** Ends the import: counts what happened to the items of the file, and deletes their index. */
  async complete(): Promise<void> {
    await this.ctx.db.transaction(async (tx) => {
      await this.holdLease(tx);
      const { id } = this.row;
      const byType = new Map<string, ItemCounts>();
      for (const { sourceType, state, count } of await countItemStates(tx, id)) {
        const states = byType.get(sourceType) ?? { ...noItems };
        if (state !== 'pending') states[state] += count;
        byType.set(sourceType, states);
      }
      const entries = { ...this.row.counts.entries, skipped: await countSkippedContent(tx, id) };
      const total = [...byType.values()]
        .flatMap(Object.values<number>)
        .reduce((sum, count) => sum + count, 0);
      const counts = {
        ...this.row.counts,
        phase: { done: total, total },
        entries,
        byType: Object.fromEntries(byType),
      };
      const values = { state: 'complete' as const, finishedAt: new Date(), counts, fileKey: null };
      await updateImport(tx, { id, states: ['running', 'paused'] }, values);
      await deleteItems(tx, id);
      await importSteps.complete(tx, this.leased);
    });
  }

  private async write(
    change: (
      tx: Transaction,
    ) => Promise<Partial<Pick<ImportRow, 'phase' | 'cursor' | 'counts' | 'attempts'>>>,
  ): Promise<void> {
    this.row = await this.ctx.db.transaction(async (tx) => {
      await this.holdLease(tx);
      const target = { id: this.row.id, states: ['running', 'paused'] as const };
      const row = await updateImport(tx, target, await change(tx));
      if (!row) throw new LeaseLostError();
      return row;
    });
  }

  private async holdLease(tx: Transaction): Promise<void> {
    if (!(await importSteps.extend(tx, this.leased))) throw new LeaseLostError();
  }
}

function followingPhase(phase: ImportPhase): ImportPhase {
  return importPhases[importPhases.indexOf(phase) + 1] ?? 'end';
}
