import { CommandError } from '../command-error.js';

import { completeImport, startImport } from './execute-import.js';
import { describePlan } from './describe-plan.js';
import type { ImportDeps } from './import-deps.js';
import { isEnded, openImport } from './open-import.js';
import { planImport, type ImportChoices } from './plan-import.js';
import { uploadPackage } from './upload-package.js';

export interface ImportOptions extends ImportChoices {
  /** The archive. */
  file: string;
  /** Asks the user after the plan was shown; false ends the command. */
  confirm: () => Promise<boolean>;
}

/**
 * Imports a site from a file: uploads the package, shows the plan, and takes the steps of the import once the user has
 * confirmed it. After any failure the same call continues.
 * @throws CommandError
 */
export async function importSite(
  deps: ImportDeps,
  { file, confirm, ...choices }: ImportOptions,
): Promise<void> {
  const { api, output } = deps;
  const operation = await openImport(deps, file);
  const { id, state } = operation;
  if (isEnded(state))
    throw new CommandError(
      `The import ${id} has ended as ${state}: run cms site abandon, then this command again`,
    );
  if (state !== 'running' && state !== 'verifying') {
    if (state === 'uploading') await uploadPackage(deps, { id, file });
    const planned = await planImport(deps, operation, choices);
    output.plan(planned, describePlan(planned.plan));
    if (planned.plan.blockers.length > 0)
      throw new CommandError('The package cannot be imported into this site; nothing was written');
    if (!(await confirm()))
      throw new CommandError('Not confirmed; nothing was written. The same command continues');
    await startImport(deps, operation, planned);
  }
  const receipt = await completeImport(deps, id);
  const records = Object.values(receipt.counts).reduce((sum, count) => sum + count, 0);
  output.result({ site: api.origin, importId: id, receipt }, [
    `${api.origin}: ${records} records imported and verified`,
    receipt.logicalDigest,
  ]);
}
