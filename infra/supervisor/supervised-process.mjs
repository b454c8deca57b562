import { fork } from 'node:child_process';
import { gone, identify, signal } from '../process/identity.mjs';
import { OperatorError } from '../process/operator-error.mjs';

const firstPauseMilliseconds = 1_000;
const longestPauseMilliseconds = 30_000;
const healthyAfterMilliseconds = 60_000;
const startAttempts = 3;
const readyWithinMilliseconds = 180_000;
const stopWithinMilliseconds = 15_000;

const endingOf = (code, signalName) => (signalName ? `signal ${signalName}` : `exit code ${code}`);

/** One process of the application: started, waited for, started again when it dies, stopped. */
export class SupervisedProcess {
  #options;
  #identity;
  #isStopping = false;
  #wasReady = false;
  #attempts = 0;
  #pause = firstPauseMilliseconds;
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
   * @param {(identity: import('../process/identity.mjs').Identity) => void} options.onSpawn
   */
  constructor(options) {
    this.#options = options;
  }

  /** @returns {Promise<number>} the port, once ready; rejects with an OperatorError when the first start fails for good */
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
    this.#identity = child.pid ? identify(child.pid) : undefined;
    if (this.#identity) onSpawn(this.#identity);
    let readyAt;
    let failure;
    const late = setTimeout(() => {
      failure = `The ${this.#options.name} was not ready after ${readyWithinMilliseconds / 1_000} s: see the lines above.`;
      signal(child.pid, 'SIGKILL', { group: true });
    }, readyWithinMilliseconds);
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
      const ending = failure ?? `The ${this.#options.name} ended (${endingOf(code, signalName)})`;
      this.#onDeath({ ending, isFailure: failure !== undefined, readyAt });
    });
  }

  #onDeath({ ending, isFailure, readyAt }) {
    if (!this.#wasReady && (isFailure || this.#attempts >= startAttempts)) {
      this.#first.reject(
        new OperatorError(isFailure ? ending : `${ending} before it was ready: see the lines above.`),
      );
      return;
    }
    if (readyAt && Date.now() - readyAt > healthyAfterMilliseconds) this.#pause = firstPauseMilliseconds;
    this.#options.log(`${ending.replace(/[.\s]+$/, '')}; starting it again in ${this.#pause / 1_000} s.`);
    this.#timer = setTimeout(() => this.#spawn(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, longestPauseMilliseconds);
  }

  /** Stops it for good: SIGTERM, and SIGKILL to all it started when that takes too long or when in a hurry. */
  async stop({ hurry = false } = {}) {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    this.#first.promise.catch(() => {});
    if (!this.#identity) return;
    if (!hurry) {
      signal(this.#identity.pid, 'SIGTERM');
      if (await gone(this.#identity, stopWithinMilliseconds)) return;
      this.#options.log(
        `The ${this.#options.name} did not stop within ${stopWithinMilliseconds / 1_000} s and is killed.`,
      );
    }
    signal(this.#identity.pid, 'SIGKILL', { group: true });
    await gone(this.#identity, 5_000);
  }
}

function withResolvers() {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
}
