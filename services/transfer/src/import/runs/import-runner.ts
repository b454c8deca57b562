import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { RunImport } from '@quire/jobs';
import type { Logger } from '@quire/observability';
import type { Sweep } from '@quire/runtime';
import { WorkQueueRunner } from '@quire/work-queue';
import type { TransferDeps } from '../../transfer-deps.js';
import { importSteps, type LeasedImport } from './import-steps.repository.js';
import { runImportSteps, runLeasedImport, type RunOutcome } from './run-import.js';

export interface ImportRunnerDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  deps: TransferDeps;
  /** A context of system work on a tenant, or undefined when the tenant is deleted. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/** Takes the steps of imports: at once by the job of a started import, and by polling when a job or worker was lost. */
export class ImportRunner implements Sweep {
  private readonly runner: WorkQueueRunner<LeasedImport>;
  private isStopping = false;

  constructor(private readonly options: ImportRunnerDeps) {
    const { databases, logger } = options;
    this.runner = new WorkQueueRunner({
      databases,
      logger,
      // A failed step reschedules itself, with the reason.
      table: {
        claim: (sql, limit) => importSteps.claim(sql, limit),
        postpone: (sql, leased, afterSeconds) => importSteps.postpone(sql, leased, afterSeconds),
      },
      batchSize: 1,
      process: (sql, leased) => this.runLeased(sql, leased),
      failureMessage: 'import step rescheduled',
      fieldsOf: ({ tenantId, importId }) => ({ tenant: tenantId, importId }),
      failure: 'import step processing failed',
    });
  }

  get tasks(): Sweep['tasks'] {
    return this.runner.tasks;
  }

  start(): void {
    this.runner.start();
  }

  /** Handles the job of an import. */
  run(ctx: Context, { importId }: RunImport): Promise<RunOutcome> {
    const address = { tenantId: ctx.principal.tenant.id, importId };
    return this.untilDone(() => runImportSteps(ctx, this.options.deps, address, () => this.isStopping));
  }

  /** Ends the present steps and takes no further ones. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.runner.stop();
  }

  private async runLeased(sql: Queryable, leased: LeasedImport): Promise<void> {
    const ctx = await this.options.contextOf(leased.tenantId, `import:${leased.importId}`);
    if (!ctx) return void (await importSteps.complete(sql, leased));
    await runLeasedImport(ctx, this.options.deps, leased, () => this.isStopping);
  }

  private async untilDone(run: () => Promise<RunOutcome>): Promise<RunOutcome> {
    let outcome = await run();
    // The next time slice: an import that waits for its turn is taken by the polling runner of any process.
    if (outcome === 'continued' && !this.isStopping) outcome = await run();
    return outcome;
  }
}
