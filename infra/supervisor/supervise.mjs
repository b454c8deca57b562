import { toOneLine } from '../process/user-facing-error.mjs';
import { prepare } from '../prepare/prepare.mjs';
import { parseArguments, readTargets, usage } from './arguments.mjs';
import { environmentFor, createSetupLink, migrate, openDatabase } from './environment.mjs';
import { killStaleProcesses, recordProcesses } from './stale-processes.mjs';
import { checkPorts } from './ports.mjs';
import { readSettings } from './settings.mjs';
import { onShutdownSignal } from './shutdown-signal.mjs';
import { SupervisedProcess } from './supervised-process.mjs';

/** Which processes to start, each with its targets and its port. */
function planProcesses(targets, chosen, { port, workerPort }) {
  if (chosen !== 'all')
    return [{ name: `${chosen.join(',')} process`, targets: chosen, port, variable: 'PORT' }];
  return [
    { name: 'API process', targets: targets.api, port, variable: 'PORT' },
    { name: 'worker process', targets: targets.worker, port: workerPort, variable: 'CMS_WORKER_PORT' },
  ].filter((each) => each.targets.length > 0);
}

/** Where the services of one process are found by the others: `{ CONTENT_URL: … }`. */
function addressesOf(plan) {
  const services = plan.flatMap(({ targets, port }) =>
    targets
      .filter((target) => target !== 'gateway' && !target.endsWith('-worker'))
      .map((target) => [`${target.toUpperCase()}_URL`, `http://127.0.0.1:${port}`]),
  );
  return Object.fromEntries(services);
}

function createProcesses(plan, { settings, app, root, env, log, record }) {
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
      onSpawn: record.add,
    });
  });
}

/**
 * Everything behind `npm start`, from reading the arguments to the end of the last process.
 * @param {object} options
 * @param {string} options.root the repository
 * @param {import('./application.mjs').Application} options.app
 * @param {string[]} options.args
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {boolean} [options.isPrepared] leave installing and building out
 * @returns {Promise<number>} the exit code: 0 when stopped as asked, 1 after one line that says what went wrong
 */
export async function supervise({ root, app, args, env = process.env, isPrepared = false }) {
  const log = (line) => console.log(line);
  const stop = onShutdownSignal(env);
  const opened = { processes: [], database: undefined, record: undefined };
  let code = 0;

  const start = async () => {
    const targets = readTargets(app.targets);
    const { help, chosen } = parseArguments(args, targets);
    if (help) return log(usage([...targets.api, ...targets.worker]));
    const settings = readSettings(env, root);
    const plan = planProcesses(targets, chosen, settings);
    await checkPorts(plan, await killStaleProcesses(settings.dataDir));
    if (!isPrepared) await prepare({ root, log, signal: stop.signal });
    stop.signal.throwIfAborted();
    if (!settings.databaseUrl) log('Starting the database…');
    opened.database = await openDatabase(settings, log);
    const childEnv = environmentFor(env, { dataDir: settings.dataDir, url: opened.database.url });
    log('Migrating the database…');
    await migrate({ cms: app.cms, cwd: root, env: childEnv, signal: stop.signal });
    log('Starting Quire…');
    opened.record = recordProcesses(
      settings.dataDir,
      plan.map((each) => each.port),
    );
    opened.processes = createProcesses(plan, {
      settings,
      app,
      root,
      env: childEnv,
      log,
      record: opened.record,
    });
    const aborted = rejectOn(stop.signal);
    const [port] = await Promise.race([Promise.all(opened.processes.map((each) => each.start())), aborted]);
    // Without a public origin the site is at localhost, where whoever works at this machine needs no link.
    const isSetupByLink = settings.publicUrl && plan.some((each) => each.targets.includes('auth'));
    const commandOptions = { cms: app.cms, cwd: root, env: childEnv, signal: stop.signal };
    const setupLink = isSetupByLink ? await createSetupLink(commandOptions) : undefined;
    if (setupLink) log(`Set up the site: ${setupLink}`);
    log(`Quire is ready: ${settings.publicUrl ?? `http://localhost:${port}`}/_cms/admin`);
    await aborted;
  };

  try {
    await start();
  } catch (error) {
    if (!stop.signal.aborted) {
      console.error(toOneLine(error));
      code = 1;
    }
  }
  await close(opened, stop).catch((error) => {
    console.error(toOneLine(error));
    code = 1;
  });
  stop.end();
  return code;
}

/** A promise that never resolves and rejects when the signal aborts. */
function rejectOn(signal) {
  const promise = new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  promise.catch(() => {});
  return promise;
}

/** Stops the processes, then the database they use; a second Ctrl-C kills what still runs. */
async function close({ processes, database, record }, { immediate }) {
  let isImmediate = false;
  const stopAll = (options) => Promise.all(processes.map((each) => each.stop(options)));
  const immediateStop = immediate.then(() => {
    isImmediate = true;
    return stopAll({ immediate: true });
  });
  await Promise.race([stopAll(), immediateStop]);
  record?.remove();
  await database?.stop({ immediate: isImmediate });
}
