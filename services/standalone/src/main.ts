import { ConfigurationError, loadEnvironment, loadSiteConfig } from '@quire/config';
import { knownTargets, startProcess, type Target } from './process.js';

/** Runs targets in one process: `node main.js --target content,auth`. */
async function main(): Promise<void> {
  const environment = loadEnvironment();
  const site = await loadSiteConfig(environment.CMS_CONFIG);
  const running = await startProcess({
    targets: chosenTargets(process.argv.slice(2)),
    environment,
    site,
    port: environment.PORT,
  });
  stopOnRequest(running.stop);
  process.send?.({ type: 'ready', port: running.port });
}

function chosenTargets(args: readonly string[]): Target[] {
  const place = args.indexOf('--target');
  const names = (place >= 0 ? args[place + 1] : undefined)?.split(',') ?? ['all'];
  if (names.includes('all')) return [...knownTargets];
  const unknown = names.find((name) => !(knownTargets as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new ConfigurationError(`Unknown target ${unknown}: choose among ${knownTargets.join(', ')}`);
  return names as Target[];
}

/** Ends cleanly on a signal, and when the supervisor is gone: an orphan would keep the port and the database. */
function stopOnRequest(stop: () => Promise<void>): void {
  const end = () => void stop().then(() => process.exit(0));
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (process.send) process.once('disconnect', end);
}

function fail(error: unknown): void {
  const line = error instanceof Error ? error.message : String(error);
  const message = error instanceof ConfigurationError ? line : `Quire could not start: ${line}`;
  process.stderr.write(`${message}\n`);
  if (!process.send) process.exit(1);
  process.send({ type: 'failed', message }, () => process.exit(1));
}

main().catch(fail);
