import { once } from 'node:events';
import {
  ConfigurationError,
  loadEnvironment,
  loadSiteConfig,
  type Environment,
  type SiteConfig,
} from '@quire/config';
import { isUnavailable } from '@quire/database';
import { createLogger, type Logger } from '@quire/observability';
import { allTargets, isTarget, type Target } from '@quire/topology';
import { AdminService } from './admin-service.js';
import { AppContainer } from './app-container.js';
import { logConsoleWarnings } from './console-warnings.js';
import { startProcess } from './process.js';
import { retryStart } from './retry-start.js';

/**
 * Runs targets in one process: `node main.js --target content,auth`. With `--migrate` it migrates the database first;
 * with `--wait` it waits for a message of its parent when it has loaded its modules.
 */
async function main(): Promise<void> {
  const environment = loadEnvironment();
  const site = await loadSiteConfig(environment.CMS_CONFIG);
  const args = process.argv.slice(2);
  const targets = chosenTargets(args);
  const logger = createLogger({ level: environment.CMS_LOG_LEVEL, targets });
  logConsoleWarnings(logger);
  if (args.includes('--migrate')) await migrate(environment, site);
  if (args.includes('--wait')) await once(process, 'message');
  const options = { targets, environment, site, port: environment.PORT };
  const running = await retryStart(() => startProcess(options), logger);
  stopOnRequest(running.stop);
  ignoreConnectionErrors(logger);
  process.send?.({ type: 'ready', port: running.port, opsPort: running.opsPort });
}

async function migrate(environment: Environment, site: SiteConfig): Promise<void> {
  const container = new AppContainer(environment, site, ['migration']);
  try {
    const { unavailable, failures, tenants } = await new AdminService(container).migrate();
    if (unavailable.length > 0)
      container.logger.warn({ databases: unavailable }, 'sites of unavailable databases were not migrated');
    const [failure] = failures;
    if (failure && tenants === 0)
      throw new ConfigurationError(`${failure.tenant} could not be migrated: ${failure.message}`);
    for (const each of failures) container.logger.error(each, 'site not migrated');
  } finally {
    await container.lifecycle.stop();
  }
  process.send?.({ type: 'migrated' });
}

function chosenTargets(args: readonly string[]): Target[] {
  const index = args.indexOf('--target');
  const names = (index >= 0 ? args[index + 1] : undefined)?.split(',') ?? ['all'];
  if (names.includes('all')) return [...allTargets];
  const unknown = names.find((name) => !isTarget(name));
  if (unknown !== undefined)
    throw new ConfigurationError(`Unknown target ${unknown}: choose among ${allTargets.join(', ')}`);
  return names as Target[];
}

/** Stops on a signal, and when the supervisor has exited: an orphan would keep the port and the database. */
function stopOnRequest(stop: () => Promise<void>): void {
  const end = () => void stop().then(() => process.exit(0));
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (process.send) process.once('disconnect', end);
}

/**
 * Ends the process on an uncaught error, except a lost connection. A queue library may lose a connection while opening
 * it, before the connection has an error listener, and then opens another one itself.
 */
function ignoreConnectionErrors(logger: Logger): void {
  process.on('uncaughtException', (error) => {
    if (isUnavailable(error)) {
      logger.warn({ err: error }, 'connection lost while being opened');
      return;
    }
    logger.error({ err: error }, 'uncaught exception: process exits');
    process.exit(1);
  });
}

function fail(error: unknown): void {
  const line = error instanceof Error ? error.message : String(error);
  const message = error instanceof ConfigurationError ? line : `Quire could not start: ${line}`;
  process.stderr.write(`${message}\n`);
  if (!process.send) process.exit(1);
  process.send({ type: 'failed', message }, () => process.exit(1));
}

main().catch(fail);
