import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';
import { onShutdownSignal, stoppedLine } from './shutdown-signal.mjs';
import { toOneLine, UserFacingError } from './user-facing-error.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @typedef {{ root: string, args: string[], shutdown: import('./shutdown-signal.mjs').Shutdown }} CommandOptions */

/** The module of each command in `dist/`. Each exports `run`. */
const modules = {
  start: 'supervisor/supervise.js',
  cms: 'supervisor/cms.js',
  test: 'test-runner/test.js',
  bench: 'bench/bench.js',
  demo: 'demo/demo.js',
  check: 'checks/check.js',
  compose: 'checks/compose.js',
  metrics: 'checks/metrics.js',
  generate: 'generate/generate.js',
};

/**
 * Installs and builds changed code, then runs a command with its arguments.
 * @param {string} name a key of `modules`
 * @param {string[]} args
 * @returns {Promise<number>} the exit code: 1 after one line on standard error when the command could not run
 */
export async function runCommand(name, args) {
  // a closed terminal or pipe must not end the process
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const isStart = name === 'start';
  // scripts read the standard output of `cms`
  const log = name === 'cms' ? console.error : console.log;
  const shutdown = onShutdownSignal(process.env);
  try {
    await prepare({ root, log, signal: shutdown.signal });
  } catch (error) {
    if (!shutdown.signal.aborted) {
      console.error(toOneLine(error));
      return 1;
    }
    if (isStart) log(stoppedLine);
    return isStart ? 0 : 130;
  }
  // `start` stops in order at the first signal; the other commands end
  if (!isStart) shutdown.end();
  try {
    return await importCommand(name).then(({ run }) => run({ root, args, shutdown }));
  } catch (error) {
    if (!(error instanceof UserFacingError)) throw error;
    console.error(error.message);
    return 1;
  }
}

/**
 * @param {string} name
 * @returns {Promise<{ run: (options: CommandOptions) => Promise<number> }>}
 */
function importCommand(name) {
  if (!Object.hasOwn(modules, name))
    throw new UserFacingError(`Unknown command ${name}: choose one of ${Object.keys(modules).join(', ')}.`);
  const module = modules[/** @type {keyof typeof modules} */ (name)];
  return import(new URL(`../dist/${module}`, import.meta.url).href);
}
