import { errorCodeOf, sleep } from '../../prepare/process-identity.mjs';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { tryPort } from '../process/free-port.js';
import type { LivingSupervisor } from './stale-processes.js';

const portTimeoutMs = 5_000;

async function check(variable: string, port: number, living: readonly LivingSupervisor[]): Promise<void> {
  const holder = living.find(({ ports }) => ports.includes(port));
  const end = Date.now() + (holder ? portTimeoutMs : 0);
  for (;;) {
    try {
      await tryPort(port);
      return;
    } catch (error) {
      if (errorCodeOf(error) === 'EACCES')
        throw new UserFacingError(
          `Port ${port} needs root rights: choose one above 1023, for example ${variable}=4321.`,
        );
      if (errorCodeOf(error) !== 'EADDRINUSE') throw error;
    }
    if (Date.now() >= end) break;
    await sleep(200);
  }
  if (holder)
    throw new UserFacingError(
      `Quire runs already on port ${port} (process ${holder.pid}): stop it first, or choose another port, for example ${variable}=${port + 100}.`,
    );
  throw new UserFacingError(
    `Port ${port} is in use by another program: stop that program, or choose another port, for example ${variable}=${port + 100}.`,
  );
}

/**
 * Reports a port that is in use, before the database starts. Waits for a Quire that is just stopping.
 * @param living supervisors of the same data dir
 * @throws UserFacingError one line that proposes another port
 */
export async function checkPorts(
  wanted: readonly { variable: string; port: number }[],
  living: readonly LivingSupervisor[],
): Promise<void> {
  for (const { variable, port } of wanted) {
    if (port > 65_535)
      throw new UserFacingError(
        `The worker process needs port ${port}, which does not exist: set CMS_WORKER_PORT.`,
      );
    if (port !== 0) await check(variable, port, living);
  }
}
