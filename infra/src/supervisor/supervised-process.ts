import { fork } from 'node:child_process';
import { identifyProcess, signal, waitForExit, type Identity } from '../../prepare/process-identity.mjs';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';

const initialPauseMs = 1_000;
const maxPauseMs = 30_000;
const pauseResetMs = 60_000;
const maxStartAttempts = 3;
const readyTimeoutMs = 180_000;

const exitReasonOf = (code: number | null, signalName: NodeJS.Signals | null) =>
  signalName ? `signal ${signalName}` : `exit code ${code}`;

export interface SupervisedProcessOptions {
  /** For log lines, for example "API process". */
  name: string;
  /** The script. */
  main: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
  /** Time from the signal to stop until it is killed. */
  stopTimeoutMs: number;
  onSpawn: (identity: Identity) => void;
}

/** What a process does before its first start. */
export interface Preparation {
  /** It migrates the database. */
  migrates: boolean;
  /** It loads its modules, and waits for another process to migrate the database. */
  waitsFor?: Promise<void> | undefined;
}

interface Exit {
  exitReason: string;
  /** Whether the process reported the failure itself. */
  isFailure: boolean;
  readyAt: number | undefined;
}

/** One process of the application: starts it, waits until it is ready, restarts it after an exit, stops it. */
export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions;
  #identity: Identity | undefined;
  #isStopping = false;
  #wasReady = false;
  #attempts = 0;
  #pause = initialPauseMs;
  #timer: NodeJS.Timeout | undefined;
  #preparation: Preparation = { migrates: false };
  readonly #first = deferred<number>();
  readonly #migrated = deferred<void>();

  /** Resolves when the process that `migrates` has migrated the database; never when it fails. */
  readonly migrated = this.#migrated.promise;

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
  }

  /**
   * @returns the port, when it is ready; rejects with a UserFacingError when no attempt of the first start succeeds
   */
  start(preparation: Preparation): Promise<number> {
    this.#preparation = preparation;
    this.#spawn();
    return this.#first.promise;
  }

  #spawn(): void {
    const { main, args, cwd, env, onSpawn } = this.#options;
    this.#attempts += 1;
    // detached: Ctrl-C in a terminal reaches the supervisor only, which then stops everything in order
    const { migrates, waitsFor } = this.#wasReady ? { migrates: false } : this.#preparation;
    const child = fork(main, [...args, ...(migrates ? ['--migrate'] : []), ...(waitsFor ? ['--wait'] : [])], {
      cwd,
      env,
      detached: true,
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#identity = child.pid ? identifyProcess(child.pid) : undefined;
    if (this.#identity) onSpawn(this.#identity);
    // one that has ended during the migration is started again
    void waitsFor?.then(() => child.connected && child.send({ type: 'start' }));
    let readyAt: number | undefined;
    let failure: string | undefined;
    const late = setTimeout(() => {
      failure = `The ${this.#options.name} was not ready after ${readyTimeoutMs / 1_000} s: see the lines above.`;
      if (child.pid !== undefined) signal(child.pid, 'SIGKILL', { group: true });
    }, readyTimeoutMs);
    child.on('message', (message: { type?: string; message?: string; port?: number } | null) => {
      if (message?.type === 'failed') failure = String(message.message);
      if (message?.type === 'migrated') this.#migrated.resolve();
      if (message?.type !== 'ready') return;
      clearTimeout(late);
      readyAt = Date.now();
      this.#wasReady = true;
      this.#first.resolve(Number(message.port));
    });
    child.once('error', (error) => (failure ??= error.message));
    child.once('close', (code, signalName) => {
      clearTimeout(late);
      if (this.#isStopping) return;
      const exitReason = failure ?? `The ${this.#options.name} ended (${exitReasonOf(code, signalName)})`;
      this.#onExit({ exitReason, isFailure: failure !== undefined, readyAt });
    });
  }

  #onExit({ exitReason, isFailure, readyAt }: Exit): void {
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

  /** Stops it without a restart: SIGTERM, and SIGKILL to its process group after a timeout or when immediate. */
  async stop({ immediate = false } = {}): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    this.#first.promise.catch(() => {});
    if (!this.#identity) return;
    if (!immediate) {
      const { name, log, stopTimeoutMs } = this.#options;
      signal(this.#identity.pid, 'SIGTERM');
      if (await waitForExit(this.#identity, stopTimeoutMs)) return;
      log(`The ${name} did not stop within ${stopTimeoutMs / 1_000} s and is killed.`);
    }
    signal(this.#identity.pid, 'SIGKILL', { group: true });
    await waitForExit(this.#identity, 5_000);
  }
}

/** Promise.withResolvers, which Node.js 20 does not have. */
function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<T>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  return { promise, resolve, reject };
}
