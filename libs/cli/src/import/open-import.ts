import { digestOf } from '@quire/site-package';
import { CommandError, SiteError } from '../command-error.js';
import { Retries } from '../http/retries.js';
import { listResponse, operationResponse, type ImportOperation } from './import-api.js';
import { readManifest } from './archive-entries.js';
import type { ImportDeps } from './import-deps.js';

const activeStates = ['uploading', 'analyzing', 'planned', 'running', 'verifying'];

/**
 * Creates the import of a package, or finds the unfinished one of the same package: then the command continues it.
 * @param file the archive
 * @throws CommandError for a file that is no package, and while another import is unfinished; SiteError;
 *   ConnectionError
 */
export async function openImport(deps: ImportDeps, file: string): Promise<ImportOperation> {
  const { output, sleep, signal } = deps;
  const manifest = await readManifest(file, signal);
  const retries = new Retries(sleep, signal);
  for (;;) {
    try {
      const found = await findUnfinished(deps);
      if (!found) return await createImport(deps, manifest);
      if (found.packageDigest !== digestOf(manifest)) throw anotherImport(found);
      output.note(`Continuing the import ${found.id}`);
      return found;
    } catch (error) {
      // The site has created an import since: the next attempt finds it.
      if (error instanceof SiteError && error.code === 'TRANSFER_INVALID_STATE') await sleep(1000, signal);
      else await retries.waitAfter(error);
    }
  }
}

/**
 * The import that keeps a site from other imports, if there is one: it goes on, or it has ended after it began to write
 * to the site.
 */
export async function findUnfinished({ api, signal }: ImportDeps): Promise<ImportOperation | undefined> {
  const { items } = await api.call('admin/transfer/imports?limit=20', listResponse, { signal });
  return items.find(isUnfinished);
}

async function createImport({ api, signal }: ImportDeps, manifest: Buffer): Promise<ImportOperation> {
  const { operation } = await api.call('admin/transfer/imports', operationResponse, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: manifest,
    signal,
  });
  return operation;
}

function anotherImport({ id, state }: ImportOperation): CommandError {
  return new CommandError(
    `The site has the import ${id} of another package (${state}): end it with cms site abandon`,
  );
}

function isUnfinished({ state, mutationStartedAt }: ImportOperation): boolean {
  return activeStates.includes(state) || (isEnded(state) && mutationStartedAt !== null);
}

/** Whether an import can be abandoned. */
export function isEnded(state: string): boolean {
  return state === 'failed' || state === 'cancelled';
}
