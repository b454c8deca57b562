import { fork } from 'node:child_process';
import { waitForExit, identifyProcess, signal } from '../process/process-identity.mjs';
import { UserFacingError } from '../process/user-facing-error.mjs';

const initialPauseMs = 1_000;
const maxPauseMs = 30_000;
const pauseResetMs = 60_000;
const maxStartAttempts = 3;
const readyTimeoutMs = 180_000;
const stopTimeoutMs = 15_000;

const exitReasonOf = (code, signalName) => (signalName ? `signal ${signalName}` : `exit code ${code}`);

/** One process of the application: started, waited for, started again when it dies, stopped. */
export class SupervisedProcess {
  #options;
  #identity;
  #isStopping = false;
  #wasReady = false;
  #attempts = 0;
  #pause = initialPauseMs;
  #timer;
  #first = Promise.withResolvers?.() ?? withResolvers();

  /**
   * @param {object} options
   * @param {string} options.name for log lines, for example "API process"
   * @param {string} options.main the script
   * @param {string[]} options.args
   * @param {string} options.cwd
   * @param {NodeJS.ProcessEnv} options.env
   * @param {(line: string) => void} options.log
   * @param {(identity: import('../process/process-identity.mjs').Identity) => void} options.onSpawn
   */
  constructor(options) {
    this.#options = options;
  }

  /**
   * @returns {Promise<number>} the port, once ready; rejects with a UserFacingError when the first start fails for good
   */
  start() {
    this.#spawn();
    return this.#first.promise;
  }

  #spawn() {
    const { main, args, cwd, env, onSpawn } = this.#options;
    this.#attempts += 1;
    // detached: Ctrl-C in a terminal reaches the supervisor only, which then stops everything in order
    const child = fork(main, args, {
      cwd,
      env,
      detached: true,
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#identity = child.pid ? identifyProcess(child.pid) : undefined;
    if (this.#identity) onSpawn(this.#identity);
    let readyAt;
    let failure;
    const late = setTimeout(() => {
      failure = `The ${this.#options.name} was not ready after ${readyTimeoutMs / 1_000} s: see the lines above.`;
      signal(child.pid, 'SIGKILL', { group: true });
    }, readyTimeoutMs);
    child.on('message', (message) => {
      if (message?.type === 'failed') failure = String(message.message);
      if (message?.type !== 'ready') return;
      clearTimeout(late);
      readyAt = Date.now();
      this.#wasReady = true;
      this.#first.resolve(message.port);
    });
    child.once('error', (error) => (failure ??= error.message));
    child.once('close', (code, signalName) => {
      clearTimeout(late);
      if (this.#isStopping) return;
      const exitReason = failure ?? `The ${this.#options.name} ended (${exitReasonOf(code, signalName)})`;
      this.#onExit({ exitReason, isFailure: failure !== undefined, readyAt });
    });
  }

  #onExit({ exitReason, isFailure, readyAt }) {
    if (!this.#wasReady && (isFailure || this.#attempts >= maxStartAttempts)) {
      this.#first.reject(
        new UserFacingError(
          isFailure ? exitReason : `${exitReason} before it was ready: see the lines above.`,
        ),
      );
      return;
    }
    if (readyAt && Date.now() - readyAt > pauseResetMs) this.#pause = initialPauseMs;
    this.#options.log(`${exitReason.replace(/[.\s]+$/, '')}; starting it again in ${this.#pause / 1_000} s.`);
    this.#timer = setTimeout(() => this.#spawn(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, maxPauseMs);
  }

  /** Stops it for good: SIGTERM, and SIGKILL to all it started when that takes too long or when immediate. */
  async stop({ immediate = false } = {}) {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    this.#first.promise.catch(() => {});
    if (!this.#identity) return;
    if (!immediate) {
      signal(this.#identity.pid, 'SIGTERM');
      if (await waitForExit(this.#identity, stopTimeoutMs)) return;
      this.#options.log(
        `The ${this.#options.name} did not stop within ${stopTimeoutMs / 1_000} s and is killed.`,
      );
    }
    signal(this.#identity.pid, 'SIGKILL', { group: true });
    await waitForExit(this.#identity, 5_000);
  }
}

function withResolvers() {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
}
