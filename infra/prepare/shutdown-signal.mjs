import { commandOf, parentOf } from './process-identity.mjs';

const parentCheckIntervalMs = 500;

/** The last line of `npm start`. */
export const stoppedLine = 'Quire has stopped.';

/** The operator requested a stop. Not a failure. */
export class ShutdownRequested extends Error {
  /** @override */
  name = 'ShutdownRequested';
}

/**
 * Requests to stop: `signal` aborts at the first one, `immediate` resolves at the second one. `end` stops listening.
 * @typedef {{ signal: AbortSignal, immediate: Promise<void>, end: () => void }} Shutdown
 */

/**
 * Listens for requests to stop: Ctrl-C, SIGTERM, a closed terminal, and the exit of the npm that started this process
 * (a killed `npm start` must not leave Quire behind).
 * @param {NodeJS.ProcessEnv} env
 * @returns {Shutdown}
 */
export function onShutdownSignal(env) {
  const controller = new AbortController();
  let requestImmediateStop = () => {};
  /** @type {Promise<void>} */
  const immediate = new Promise((resolve) => (requestImmediateStop = resolve));
  const request = () => {
    if (controller.signal.aborted) requestImmediateStop();
    else controller.abort(new ShutdownRequested());
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  // npm forwards a Ctrl-C that the terminal also sends: signals within half a second count once
  let last = 0;
  const onSignal = () => {
    const now = Date.now();
    if (now - last > 500) request();
    last = now;
  };
  for (const name of names) process.on(name, onSignal);
  const isOrphaned = env.npm_lifecycle_event ? watchNpm() : () => false;
  const timer = setInterval(
    () => !controller.signal.aborted && isOrphaned() && request(),
    parentCheckIntervalMs,
  );
  timer.unref();
  return {
    signal: controller.signal,
    immediate,
    end() {
      clearInterval(timer);
      for (const name of names) process.off(name, onSignal);
    },
  };
}

/** Whether the npm that started this process has exited. It is the parent, or the parent of its script's shell. */
function watchNpm() {
  const parent = process.ppid;
  const isShell = commandOf(parent).includes(' -c ');
  const npm = isShell ? parentOf(parent) : undefined;
  return () => process.ppid !== parent || (npm !== undefined && parentOf(parent) !== npm);
}
