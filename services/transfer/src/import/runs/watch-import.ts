import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { importNotFound } from './import-config.js';
import { importResultOf, type ImportResult } from './import-result.js';
import { selectIssues } from './import-issues.repository.js';
import type { ImportPhase } from './import.entity.js';
import { selectImport, type ImportRow } from './imports.repository.js';

const pollMs = 200;

/** Names of the phases for clients (contract 1.4). */
const phaseNames: Readonly<Record<ImportPhase, string>> = {
  bylines: 'bylines',
  terms: 'terms',
  parents: 'terms',
  content: 'content',
  hierarchy: 'content',
  sections: 'sections',
  menus: 'menus',
  end: 'menus',
};

/** A line of the progress of an import. */
export interface ProgressLine {
  type: 'progress';
  importId: string;
  phase: string;
  current: number;
  total: number;
  percent: number;
  title?: string;
  status?: 'failed' | 'warning';
  error?: string;
}

/** The last line: the summary of an import that has ended, or its state when it is paused. */
export type LastLine = ({ type: 'result' } & ImportResult) | { type: 'paused'; importId: string };

/**
 * Yields the progress of an import until it ends or is paused: a line for each change, warning and failure, and the
 * summary as the last one. The import does not depend on it.
 * @throws QuireError the fault of a failed import; NOT_FOUND when it has been deleted
 */
export async function* watchImport(
  ctx: Context,
  importId: string,
  signal?: AbortSignal,
): AsyncGenerator<ProgressLine | LastLine> {
  let last = '';
  const seen = { warning: 0, error: 0 };
  for (;;) {
    const row = await selectImport(ctx.db, importId);
    if (!row) throw importNotFound();
    yield* newIssues(ctx, row, seen);
    const line = progressOf(row);
    const text = JSON.stringify(line);
    if (text !== last) yield line;
    last = text;
    if (row.state === 'complete') return yield { type: 'result', ...(await importResultOf(ctx.db, row)) };
    if (row.state === 'paused') return yield { type: 'paused', importId };
    if (row.state === 'failed') throw failureOf(row);
    await wait(pollMs, undefined, signal && { signal });
  }
}

/**
 * Waits for the end of an import.
 * @returns its summary
 * @throws QuireError the fault of a failed import; IMPORT_RUNNING when it has been paused
 */
export async function awaitImport(ctx: Context, importId: string): Promise<ImportResult> {
  for await (const line of watchImport(ctx, importId)) {
    if (line.type === 'result') {
      const { type: _, ...result } = line;
      return result;
    }
  }
  throw new QuireError('IMPORT_RUNNING', 'The import was paused; resume it to continue');
}

function progressOf({ id, phase, counts }: ImportRow): ProgressLine {
  const { done, total } = counts.phase;
  return {
    type: 'progress',
    importId: id,
    phase: phaseNames[phase],
    current: done,
    total,
    percent: total === 0 ? 100 : Math.floor((100 * done) / total),
  };
}

async function* newIssues(
  ctx: Context,
  row: ImportRow,
  seen: { warning: number; error: number },
): AsyncGenerator<ProgressLine> {
  const counted = { warning: row.counts.warnings, error: row.counts.errors };
  for (const severity of ['error', 'warning'] as const) {
    if (counted[severity] <= seen[severity]) continue;
    for (const { title, message } of await selectIssues(ctx.db, row.id, severity, {
      offset: seen[severity],
    })) {
      yield {
        ...progressOf(row),
        ...(title !== null && { title }),
        status: severity === 'error' ? 'failed' : 'warning',
        error: message,
      };
    }
    seen[severity] = counted[severity];
  }
}

function failureOf({ error }: ImportRow): QuireError {
  return new QuireError('IMPORT_ERROR', error?.message ?? 'The import failed', {
    details: { code: error?.code ?? 'IMPORT_ERROR' },
  });
}
