import { commandOf, parentOf } from '../process/process-identity.mjs';

const parentCheckIntervalMs = 500;

/** Why work was given up: the operator asked to stop. Not a failure. */
export class ShutdownRequested extends Error {
  name = 'ShutdownRequested';
}

/**
 * Listens for the ways in which a supervisor is asked to stop: Ctrl-C, SIGTERM, a closed terminal, and the death of the
 * npm that started it (a killed `npm start` must not leave Quire behind).
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ signal: AbortSignal, immediate: Promise<void>, end: () => void }} `immediate` resolves at the second
 *   request
 */
export function onShutdownSignal(env) {
  const controller = new AbortController();
  let requestImmediateStop;
  const immediate = new Promise((resolve) => (requestImmediateStop = resolve));
  const request = () => {
    if (controller.signal.aborted) requestImmediateStop();
    else controller.abort(new ShutdownRequested());
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  // npm passes a Ctrl-C on that the terminal sends us as well: the same second counts once
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

/** Tells whether the npm that started us is gone. It is our parent, or that of the shell that it runs scripts in. */
function watchNpm() {
  const parent = process.ppid;
  const isShell = commandOf(parent).includes(' -c ');
  const npm = isShell ? parentOf(parent) : undefined;
  return () => process.ppid !== parent || (npm !== undefined && parentOf(parent) !== npm);
}
