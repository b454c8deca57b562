import { CommandError, SiteError } from '../command-error.js';
import { Retries } from '../http/retries.js';
import { operationResponse, type ImportOperation } from './import-api.js';
import { importPath, type ImportDeps } from './import-deps.js';
import { findUnfinished, isEnded } from './open-import.js';

/** Removing what an import has written may take long. */
const timeoutMs = 3_600_000;
const cancellationDelayMs = 1_000;

/**
 * Cancels the unfinished import of a site and abandons it: the site is open for writes again.
 * @throws CommandError when there is none; SiteError; ConnectionError
 */
export async function abandonImport(deps: ImportDeps): Promise<void> {
  const { output, sleep, signal } = deps;
  const retries = new Retries(sleep, signal);
  let abandoned: ImportOperation | undefined;
  for (;;) {
    try {
      const found = await findUnfinished(deps);
      if (!found) break;
      abandoned = found;
      const mustCancel = !isEnded(found.state);
      await request(deps, found.id, mustCancel ? 'cancel' : 'abandon');
      // A running import is cancelled after its present step.
      if (mustCancel) await sleep(cancellationDelayMs, signal);
    } catch (error) {
      if (error instanceof SiteError && error.code === 'TRANSFER_INVALID_STATE') continue;
      await retries.waitAfter(error);
    }
  }
  if (!abandoned) throw new CommandError(`${deps.api.origin} has no import to abandon`);
  output.result({ site: deps.api.origin, importId: abandoned.id }, [`Abandoned the import ${abandoned.id}`]);
}

async function request(
  { api, signal }: ImportDeps,
  id: string,
  operation: 'cancel' | 'abandon',
): Promise<void> {
  await api.call(importPath(id, operation), operationResponse, { method: 'POST', timeoutMs, signal });
}
