import { z } from 'zod';
import { CommandError, SiteError } from '../command-error.js';
import { Retries, type Sleep } from '../http/retries.js';
import type { SiteApi } from '../site-api/site-api.js';
import { StepDelay } from '../site-api/step-delay.js';
import type { Output } from '../terminal/output.js';
import type { PartialExport } from './partial-export.js';

/** A step of an export may take long on a site with large media. */
const stepTimeoutMs = 3_600_000;

const count = z.number().int().nonnegative();

const operationSchema = z.object({
  id: z.string(),
  state: z.string(),
  progress: z.object({ done: count, total: count }).nullable(),
  packageDigest: z.string().nullable(),
  errorCode: z.string().nullable(),
});

const startedSchema = z.object({ operation: operationSchema });

const advancedSchema = startedSchema.extend({ nextRequestInMs: count.nullable() });

type Operation = z.output<typeof operationSchema>;

/** What a command on an export works with. */
export interface ExportDeps {
  api: SiteApi;
  output: Output;
  sleep: Sleep;
  signal: AbortSignal;
}

/** An export whose archive can be downloaded. */
export interface CompleteExport {
  id: string;
  packageDigest: string;
}

/**
 * Starts the export of the site, or continues an earlier one, and takes its steps until it is complete. An earlier one
 * that the site has deleted is started again.
 * @throws CommandError when the export fails at the site; SiteError; ConnectionError
 */
export async function completeExport(deps: ExportDeps, partial: PartialExport): Promise<CompleteExport> {
  const isContinued = partial.state.exportId !== null;
  const operation = await advanceToEnd(deps, partial);
  if (operation === undefined || operation.state === 'expired') {
    if (!isContinued) throw new CommandError('The site has deleted the export while it ran');
    deps.output.note('The site has deleted the earlier export; another one begins');
    await partial.restart();
    return completeExport(deps, partial);
  }
  const { id, state, packageDigest, errorCode } = operation;
  if (state === 'complete' && packageDigest !== null) return { id, packageDigest };
  await partial.discard();
  throw new CommandError(`The export has failed at the site (${errorCode ?? state}): run the command again`);
}

/** @returns the export in its last state; undefined for one that the site does not have */
async function advanceToEnd(deps: ExportDeps, partial: PartialExport): Promise<Operation | undefined> {
  const { api, output, sleep, signal } = deps;
  const retries = new Retries(sleep, signal);
  const delay = new StepDelay(sleep, signal);
  for (;;) {
    try {
      const id = partial.state.exportId ?? (await startExport(deps, partial));
      const request = { method: 'POST', signal, timeoutMs: stepTimeoutMs } as const;
      const path = `admin/transfer/exports/${encodeURIComponent(id)}`;
      const { operation, nextRequestInMs } = await api.call(`${path}/advance`, advancedSchema, request);
      retries.reset();
      const { done, total } = operation.progress ?? { done: 0, total: 1 };
      output.progress('export', { current: done, total });
      if (nextRequestInMs === null) return operation;
      await delay.wait(nextRequestInMs, {
        state: operation.state,
        readState: async () => (await api.call(path, startedSchema, { signal })).operation.state,
      });
    } catch (error) {
      if (error instanceof SiteError && isGone(error)) return undefined;
      await retries.waitAfter(error);
    }
  }
}

/** @returns the id of the export, which is stored */
async function startExport({ api, signal }: ExportDeps, partial: PartialExport): Promise<string> {
  const { comments, idempotencyKey } = partial.state;
  const { operation } = await api.call('admin/transfer/exports', startedSchema, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify({ comments }),
    signal,
  });
  await partial.save({ exportId: operation.id });
  return operation.id;
}

function isGone({ code }: SiteError): boolean {
  return code === 'TRANSFER_OPERATION_NOT_FOUND' || code === 'TRANSFER_EXPIRED';
}
