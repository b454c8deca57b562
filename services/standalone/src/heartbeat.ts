import { hostname } from 'node:os';
import { IntervalTask } from '@quire/runtime';
import { deleteProcess, recordProcess } from '@quire/tenancy';
import { ulid } from '@quire/values';
import type { AppContainer } from './app-container.js';
import { version } from './version.js';

const everyMs = 15_000;
/** Prevents processes that start together from writing in step. */
const jitterMs = 2_000;

/**
 * Records in the registry that the process runs, and which version of the registry it uses, until it stops. The process
 * neither waits for the database nor depends on it.
 */
export function startHeartbeat(container: AppContainer): void {
  const { targets, lifecycle, logger } = container;
  const self = { id: ulid(), host: hostname(), pid: process.pid, targets, version };
  let isRecorded = false;
  const task = new IntervalTask({
    work: async () => {
      const sql = await container.registryTables();
      const registry = await container.openedRegistry();
      await recordProcess(sql, self, {
        uptimeSeconds: process.uptime(),
        registryVersion: await registry?.refresh(),
      });
      if (isRecorded) return;
      isRecorded = true;
      // Registered after the database, which stops later. A record that is left ends by its age.
      lifecycle.onShutdown('process record', async () => {
        await task.stop();
        await deleteProcess(sql, self.id).catch(() => undefined);
      });
    },
    everyMs: everyMs + Math.random() * jitterMs,
    failure: 'process not recorded in the registry',
    logger,
  });
  lifecycle.onShutdown('heartbeat', () => task.stop());
  task.start(0);
}
