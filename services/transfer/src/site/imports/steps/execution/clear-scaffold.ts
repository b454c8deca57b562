import type { Context } from '@quire/context';
import { recordOwners, siteRecords } from '@quire/internal-api';
import type { TransferDeps } from '../../../../transfer-deps.js';
import { beginCopies, copyIdOf, discardCopies } from '../../../operations/copies.js';
import type { OperationStep, StepResult } from '../../../operations/operation-step.js';
import type { OperationRow } from '../../../operations/operations.repository.js';
import { objectPrefix } from '../../../package-files/stored-files.js';
import { stepTime } from './execution-limits.js';
import { executionResult, planOf } from './execution-result.js';
import { keptKeys, settingKeyOf } from './kept-settings.js';

const maxSettings = 10_000;
const maxBytes = 8 * 1024 * 1024;

/**
 * Deletes the records that the site had from its beginning. The first step changes nothing yet: it records that the
 * changes begin, and the settings that the site keeps.
 */
export const clearScaffold: OperationStep = async (ctx, deps, operation, { fencingToken }) => {
  if (operation.mutationStartedAt === null) return beginChanges(ctx, deps, operation);
  const { owners = 0, keptSettings = [] } = operation.cursor.execution ?? {};
  const owner = recordOwners[owners];
  const hasTime = stepTime();
  if (owner !== undefined) {
    let isComplete: boolean;
    do {
      ({ isComplete } = await deps.clients[owner].call(siteRecords[owner].clear, ctx, {
        operationId: operation.id,
        fencingToken,
      }));
    } while (!isComplete && hasTime());
    if (!isComplete) return executionResult(operation, { work: { units: 0 } });
    if (owners + 1 < recordOwners.length)
      return executionResult(operation, { execution: { owners: owners + 1 }, work: { units: 1 } });
  }
  if (keptSettings.length > 0)
    await deps.clients.content.call(siteRecords.content.write, ctx, {
      operationId: operation.id,
      fencingToken,
      kind: 'settings',
      records: keptSettings,
      pass: 'records',
      mediaPrefix: `${objectPrefix(ctx, operation.id)}media/`,
    });
  return executionResult(operation, {
    stage: 'schema',
    execution: { owners: undefined },
    work: { units: 1 },
  });
};

async function beginChanges(ctx: Context, deps: TransferDeps, operation: OperationRow): Promise<StepResult> {
  const { copies, keptSettings } = await readKeptSettings(ctx, deps, operation);
  return executionResult(
    { ...operation, cursor: { ...operation.cursor, ...(copies !== undefined && { copies }) } },
    { execution: { keptSettings }, work: { units: 1 }, change: { mutationStartedAt: new Date() } },
  );
}

/** The settings of the site whose values it keeps, from a copy of its few records. */
async function readKeptSettings(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
): Promise<{ copies?: number | undefined; keptSettings: string[] }> {
  const kept = keptKeys(planOf(operation));
  if (kept.length === 0) return { keptSettings: [] };
  const attempt = await beginCopies(ctx, operation);
  const { content } = deps.clients;
  const operationId = copyIdOf(attempt);
  await content.call(siteRecords.content.stage, ctx, { operationId, comments: false });
  const page = { operationId, kind: 'settings' as const, after: 0, maxRecords: maxSettings, maxBytes };
  const { lines } = await content.call(siteRecords.content.read, ctx, page);
  await discardCopies(ctx, deps, attempt);
  return {
    copies: attempt.cursor.copies,
    keptSettings: lines.filter((line) => kept.includes(settingKeyOf(line))),
  };
}
