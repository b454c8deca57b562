import { tryPort } from '../process/free-port.mjs';
import { sleep } from '../process/process-identity.mjs';
import { UserFacingError } from '../process/user-facing-error.mjs';

const portTimeoutMs = 5_000;

async function check(variable, port, living) {
  const holder = living.find(({ ports }) => ports.includes(port));
  const end = Date.now() + (holder ? portTimeoutMs : 0);
  for (;;) {
    try {
      await tryPort(port);
      return;
    } catch (error) {
      if (error.code === 'EACCES')
        throw new UserFacingError(
          `Port ${port} needs root rights: choose one above 1023, for example ${variable}=4321.`,
        );
      if (error.code !== 'EADDRINUSE') throw error;
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
 * Says early, before minutes of installing, that a port cannot be had. A Quire that is just stopping is waited for.
 * @param {{ variable: string, port: number }[]} wanted
 * @param {{ pid: number, ports: number[] }[]} living supervisors of the same data dir
 */
export async function checkPorts(wanted, living) {
  for (const { variable, port } of wanted) {
    if (port > 65_535)
      throw new UserFacingError(
        `The worker process needs port ${port}, which does not exist: set CMS_WORKER_PORT.`,
      );
    if (port !== 0) await check(variable, port, living);
  }
}
