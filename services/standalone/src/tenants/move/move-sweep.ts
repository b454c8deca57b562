import { isUnavailable, type Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { endMove, recordMoveError, recordMoveStep, registrySchema } from '@quire/tenancy';
import { defineWorkTable, exponentialBackoff, WorkQueueRunner, type ClaimOf } from '@quire/work-queue';
import { AdminService } from '../../admin-service.js';
import type { AppContainer } from '../../app-container.js';
import { openOwnConnections } from '../../own-connections.js';
import { startSweep } from '../../targets/sweeps.js';

/** A move whose process has died is taken over after so long. */
const leaseSeconds = 60;
const extendEveryMs = 15_000;
/** Attempts while a database does not respond. Other failures end a move. */
const maxAttempts = 5;

/** The requested moves that have not ended, in the registry. */
const tenantMoves = defineWorkTable<
  { tenantId: string },
  { database: string | null; maxPauseSeconds: number; keepsCopy: boolean; actor: string }
>({
  name: `${registrySchema}.tenant_moves`,
  key: { tenantId: 'tenant_id' },
  payload: {
    database: 'target',
    maxPauseSeconds: 'max_pause_seconds',
    keepsCopy: 'keeps_copy',
    actor: 'actor',
  },
  leaseSeconds,
  backoff: exponentialBackoff({ initialSeconds: 5, maxSeconds: 300 }),
});

type ClaimedMove = ClaimOf<typeof tenantMoves>;

/**
 * Makes the moves that operators have requested, and continues those of processes that have died: a repeated move
 * begins again, or completes one that has switched. A process whose login cannot create the role of a site leaves them
 * to others. Moves use connections of their own, which are open during a move only.
 */
export async function startMoves(container: AppContainer): Promise<void> {
  const { logger } = container;
  const registry = await container.registryTables();
  const claim = async (sql: Queryable, limit: number): Promise<ClaimedMove[]> =>
    (await mayMove(container, sql)) ? tenantMoves.claim(sql, limit) : [];
  const runner: WorkQueueRunner<ClaimedMove> = new WorkQueueRunner({
    databases: [registry],
    table: { claim, reschedule: (sql, move) => tenantMoves.reschedule(sql, move) },
    batchSize: 1,
    process: (sql, move) =>
      makeMove(container, sql, { move, onExtended: () => runner.tasks.forEach((task) => task.progress()) }),
    failureMessage: 'move of a site failed: it is repeated later',
    fieldsOf: ({ tenantId, attempts }) => ({ tenant: tenantId, attempts }),
    failure: 'requested moves of sites cannot be read',
    logger,
  });
  startSweep(container, 'tenant_moves', runner);
}

/** @throws the error of a database that does not respond: then it is repeated later */
async function makeMove(
  container: AppContainer,
  registry: Queryable,
  { move, onExtended }: { move: ClaimedMove; onExtended: () => void },
): Promise<void> {
  const { tenantId: id, database: to, maxPauseSeconds, keepsCopy, actor, attempts } = move;
  const extend = async () => {
    await tenantMoves.reschedule(registry, move, { attempts, afterSeconds: leaseSeconds });
    onExtended();
  };
  // A missed extension lets another process repeat the move, which waits for the end of this one.
  const extending = setInterval(() => void extend().catch(() => undefined), extendEveryMs);
  const own = openOwnConnections(container, 'tenant-moves');
  try {
    const onStep = (step: string) => recordMoveStep(registry, id, step);
    const { tenants } = new AdminService(own);
    const receipt = await tenants.move({ id, to, maxPauseSeconds, keepsCopy, actor, onStep });
    await endMove(registry, id, { error: null, receipt: receipt ?? null });
  } catch (error) {
    const { message } = error as Error;
    if (isTemporary(error) && attempts < maxAttempts) {
      await recordMoveError(registry, id, message);
      throw error;
    }
    container.logger.warn({ err: error, tenant: id }, 'move of a site failed');
    await endMove(registry, id, { error: message, receipt: null });
  } finally {
    clearInterval(extending);
    await own.lifecycle.stop();
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof QuireError ? error.code === 'SERVICE_UNAVAILABLE' : isUnavailable(error);

/** Whether the login may create the role that a site has in another database. */
async function mayMove({ environment }: AppContainer, sql: Queryable): Promise<boolean> {
  if (environment.CMS_DATABASE_ROLES !== 'on') return true;
  const [login] = await sql.query<{ mayCreate: boolean }>(
    'SELECT rolcreaterole OR rolsuper AS "mayCreate" FROM pg_roles WHERE rolname = session_user',
  );
  return login?.mayCreate === true;
}
