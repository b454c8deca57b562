import { CommandError, SiteError } from '../command-error.js';
import { Retries } from '../http/retries.js';
import { StepDelay } from '../site-api/step-delay.js';
import {
  advancedResponse,
  operationResponse,
  receiptResponse,
  type ImportOperation,
  type Receipt,
} from './import-api.js';
import { importPath, readState, type ImportDeps } from './import-deps.js';
import type { Planned } from './plan-import.js';

/** A step may bring indexes up to date. */
const stepTimeoutMs = 3_600_000;

/**
 * Starts a planned import. The site is read-only for others from now on.
 * @throws SiteError when the site or the plan has changed; ConnectionError
 */
export async function startImport(
  { api, sleep, signal }: ImportDeps,
  { id, packageDigest }: ImportOperation,
  { planDigest }: Planned,
): Promise<void> {
  const retries = new Retries(sleep, signal);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await api.call(importPath(id, 'execute'), operationResponse, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ packageDigest, planDigest }),
        signal,
      });
      return;
    } catch (error) {
      // An earlier request, whose response was lost, has started it.
      if (attempt > 1 && error instanceof SiteError && error.code === 'TRANSFER_INVALID_STATE') return;
      await retries.waitAfter(error);
    }
  }
}

/**
 * Takes the steps of a started import until it is complete.
 * @throws CommandError when it fails at the site; SiteError; ConnectionError
 */
export async function completeImport(deps: ImportDeps, id: string): Promise<Receipt> {
  const { api, output, sleep, signal } = deps;
  const retries = new Retries(sleep, signal);
  const delay = new StepDelay(sleep, signal);
  for (;;) {
    try {
      const { operation, nextRequestInMs } = await api.call(importPath(id, 'advance'), advancedResponse, {
        method: 'POST',
        timeoutMs: stepTimeoutMs,
        signal,
      });
      retries.reset();
      const { done, total } = operation.progress ?? { done: 0, total: 1 };
      output.progress('import', { current: done, total });
      const { state } = operation;
      if (nextRequestInMs !== null)
        await delay.wait(nextRequestInMs, { state, readState: () => readState(deps, id) });
      else if (state !== 'complete') throw failed(operation);
      else return (await api.call(importPath(id, 'receipt'), receiptResponse, { signal })).receipt;
    } catch (error) {
      await retries.waitAfter(error);
    }
  }
}

function failed({ id, state, errorCode }: ImportOperation): CommandError {
  return new CommandError(
    `The import ${id} has ended as ${state}${errorCode === null ? '' : ` (${errorCode})`}: remove what it has written with cms site abandon`,
  );
}
