import { stoppedLine, type Shutdown } from '../../prepare/shutdown-signal.mjs';
import { toOneLine } from '../../prepare/user-facing-error.mjs';
import type { CommandOptions } from '../command.js';
import { standalone, type Application } from './application.js';
import { parseArguments, readTargets, usage, type Targets } from './arguments.js';
import { environmentFor, createSetupLink, openDatabase, type Database } from './environment.js';
import { killStaleProcesses, recordProcesses, type ProcessRecorder } from './stale-processes.js';
import { checkPorts } from './ports.js';
import { readSettings, type Settings } from './settings.js';
import { stopTimeoutMs } from './stop-timeout.js';
import { SupervisedProcess } from './supervised-process.js';

interface PlannedProcess {
  name: string;
  targets: string[];
  port: number;
  /** The environment variable of the port. */
  variable: string;
}

/** The processes to start. */
function planProcesses(
  targets: Targets,
  chosen: 'all' | string[],
  { port, workerPort }: Settings,
): PlannedProcess[] {
  if (chosen !== 'all')
    return [{ name: `${chosen.join(',')} process`, targets: chosen, port, variable: 'PORT' }];
  return [
    { name: 'API process', targets: targets.api, port, variable: 'PORT' },
    { name: 'worker process', targets: targets.worker, port: workerPort, variable: 'CMS_WORKER_PORT' },
  ].filter((each) => each.targets.length > 0);
}

/** The addresses of the services for the other processes: `{ CONTENT_URL: … }`. */
function addressesOf(plan: readonly PlannedProcess[]): Record<string, string> {
  const services = plan.flatMap(({ targets, port }) =>
    targets
      .filter((target) => target !== 'gateway' && !target.endsWith('-worker'))
      .map((target) => [`${target.toUpperCase()}_URL`, `http://127.0.0.1:${port}`]),
  );
  return Object.fromEntries(services);
}

interface ProcessOptions {
  settings: Settings;
  app: Application;
  root: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
  record: ProcessRecorder;
}

function createProcesses(
  plan: readonly PlannedProcess[],
  { settings, app, root, env, log, record }: ProcessOptions,
): SupervisedProcess[] {
  const { publicUrl } = settings;
  const addresses = addressesOf(plan);
  return plan.map(({ name, targets, port }) => {
    const own = { ...addresses, ...env, PORT: String(port), ...(publicUrl && { CMS_PUBLIC_URL: publicUrl }) };
    const args = ['--target', targets.join(',')];
    return new SupervisedProcess({
      name,
      main: app.main,
      args,
      cwd: root,
      env: own,
      log,
      stopTimeoutMs: stopTimeoutMs(env),
      onSpawn: record.add,
    });
  });
}

/** Starts processes at once, of which the first one migrates the database. @returns their ports */
function startAll(processes: readonly SupervisedProcess[]): Promise<number[]> {
  const migrated = processes[0]?.migrated;
  const preparationOf = (index: number) =>
    index === 0 ? { migrates: true } : { migrates: false, waitsFor: migrated };
  return Promise.all(processes.map((each, index) => each.start(preparationOf(index))));
}

interface Opened {
  processes: SupervisedProcess[];
  database?: Database;
  record?: ProcessRecorder;
}

/**
 * `npm start`, from the arguments to the exit of the last process. Ends with a line after a requested stop.
 * @returns the exit code: 0 after a requested stop, 1 after one line on standard error
 */
export async function supervise({
  root,
  app,
  args,
  shutdown,
  env = process.env,
}: {
  root: string;
  app: Application;
  args: string[];
  shutdown: Shutdown;
  env?: NodeJS.ProcessEnv;
}): Promise<number> {
  const log = (line: string) => console.log(line);
  const opened: Opened = { processes: [] };
  let code = 0;

  const start = async () => {
    const targets = readTargets(app.targets);
    const { help, chosen } = parseArguments(args, targets);
    if (help) return console.log(usage([...targets.api, ...targets.worker]));
    const settings = readSettings(env, root);
    const plan = planProcesses(targets, chosen, settings);
    await checkPorts(plan, await killStaleProcesses(settings.dataDir, stopTimeoutMs(env)));
    shutdown.signal.throwIfAborted();
    if (!settings.databaseUrl) log('Starting the database…');
    opened.database = await openDatabase(settings, log);
    const childEnv = environmentFor(env, { dataDir: settings.dataDir, url: opened.database.url });
    log('Starting Quire…');
    const record = recordProcesses(
      settings.dataDir,
      plan.map((each) => each.port),
    );
    opened.record = record;
    opened.processes = createProcesses(plan, {
      settings,
      app,
      root,
      env: childEnv,
      log,
      record,
    });
    const aborted = rejectOn(shutdown.signal);
    const [port] = await Promise.race([startAll(opened.processes), aborted]);
    // Without a public origin the site is at localhost, where users of this machine need no link.
    const isSetupByLink = settings.publicUrl && plan.some((each) => each.targets.includes('auth'));
    const commandOptions = { cms: app.cms, cwd: root, env: childEnv, signal: shutdown.signal };
    const setupLink = isSetupByLink ? await createSetupLink(commandOptions) : undefined;
    if (setupLink) log(`Set up the site: ${setupLink}`);
    log(`Quire is ready: ${settings.publicUrl ?? `http://localhost:${port}`}/_cms/admin`);
    await aborted;
  };

  try {
    await start();
  } catch (error) {
    if (!shutdown.signal.aborted) {
      console.error(toOneLine(error));
      code = 1;
    }
  }
  await close(opened, shutdown).catch((error) => {
    console.error(toOneLine(error));
    code = 1;
  });
  shutdown.end();
  if (shutdown.signal.aborted && code === 0) log(stoppedLine);
  return code;
}

/** A promise that never resolves and rejects when the signal aborts. */
function rejectOn(signal: AbortSignal): Promise<never> {
  const promise = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  promise.catch(() => {});
  return promise;
}

/** Stops the processes, then the database they use; a second Ctrl-C kills what still runs. */
async function close({ processes, database, record }: Opened, { immediate }: Shutdown): Promise<void> {
  let isImmediate = false;
  const stopAll = (options?: { immediate: boolean }) =>
    Promise.all(processes.map((each) => each.stop(options)));
  const immediateStop = immediate.then(() => {
    isImmediate = true;
    return stopAll({ immediate: true });
  });
  await Promise.race([stopAll(), immediateStop]);
  record?.remove();
  await database?.stop({ immediate: isImmediate });
}

export const run = ({ root, args, shutdown }: CommandOptions) =>
  supervise({ root, app: standalone(root), args, shutdown });
