import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { AdvanceTransfer } from '@quire/jobs';
import type { Logger } from '@quire/observability';
import type { Sweep } from '@quire/runtime';
import { WorkQueueRunner } from '@quire/work-queue';
import type { TransferDeps } from '../../transfer-deps.js';
import { runLeasedOperation, runOperation, type RunOutcome } from './run-operation.js';
import { transferSteps, type LeasedOperation } from './transfer-steps.repository.js';

/** Time after which other operations have their turn. */
const timeBudgetMs = 20_000;

export interface OperationRunnerDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  deps: TransferDeps;
  /** A context of system work on a tenant, or undefined when the tenant is deleted. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/** Takes the steps of site transfers: at once by their job, and by polling when a job or worker was lost. */
export class OperationRunner implements Sweep {
  private readonly runner: WorkQueueRunner<LeasedOperation>;
  private isStopping = false;

  constructor(private readonly options: OperationRunnerDeps) {
    const { databases, logger } = options;
    this.runner = new WorkQueueRunner({
      databases,
      logger,
      // A failed step reschedules itself, with the reason.
      table: {
        claim: (sql, limit) => transferSteps.claim(sql, limit),
        postpone: (sql, leased, afterSeconds) => transferSteps.postpone(sql, leased, afterSeconds),
      },
      batchSize: 1,
      process: (sql, leased) => this.runLeased(sql, leased),
      failureMessage: 'step of a site transfer rescheduled',
      fieldsOf: ({ tenantId, operationId }) => ({ tenant: tenantId, operationId }),
      failure: 'site transfers not processed',
    });
  }

  get tasks(): Sweep['tasks'] {
    return this.runner.tasks;
  }

  start(): void {
    this.runner.start();
  }

  /** Handles the job of an operation. */
  run(ctx: Context, { operationId }: AdvanceTransfer): Promise<RunOutcome> {
    return runOperation(ctx, this.options.deps, operationId, this.mustStop());
  }

  /** Ends the present steps and takes no further ones. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.runner.stop();
  }

  private async runLeased(sql: Queryable, leased: LeasedOperation): Promise<void> {
    const ctx = await this.options.contextOf(leased.tenantId, `transfer:${leased.operationId}`);
    if (!ctx) return void (await transferSteps.complete(sql, leased));
    await runLeasedOperation(ctx, this.options.deps, leased, this.mustStop());
  }

  private mustStop(): () => boolean {
    const deadline = Date.now() + timeBudgetMs;
    return () => this.isStopping || Date.now() > deadline;
  }
}
