import {
  ProcessFailure,
  WorkerProcess,
  type TaskOptions,
  type WorkerProcessOptions,
} from './worker-process.js';

/** The part of a logger that the pool needs. */
export interface ProcessPoolLogger {
  warn(fields: object, message: string): void;
}

export interface ProcessPoolOptions extends WorkerProcessOptions {
  /** Idle time after which a process ends. */
  idleMs: number;
  logger: ProcessPoolLogger;
}

/**
 * Runs tasks in child processes, which are reused until they fail. There is one process per concurrent task; the caller
 * limits the concurrency.
 */
export class ProcessPool<Task extends object, Part extends object> {
  private readonly all = new Set<WorkerProcess<Task, Part>>();
  private readonly idle = new Map<WorkerProcess<Task, Part>, NodeJS.Timeout>();
  private isClosed = false;

  constructor(private readonly options: ProcessPoolOptions) {}

  /** @throws ProcessFailure when the task times out, which kills its process, or when the process dies */
  async run(task: Task, terms: TaskOptions<Part>): Promise<void> {
    try {
      const worker = this.acquireIdle() ?? (await this.start());
      await worker.run(task, terms);
      this.release(worker);
    } catch (error) {
      if (this.isClosed) throw new ProcessFailure('closed');
      if (error instanceof ProcessFailure)
        this.options.logger.warn({ reason: error.reason }, 'image process terminated');
      throw error;
    }
  }

  /** Ends all processes. Running tasks and later calls fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const timer of this.idle.values()) clearTimeout(timer);
    await Promise.all([...this.all].map((worker) => worker.kill()));
  }

  private acquireIdle(): WorkerProcess<Task, Part> | undefined {
    // The most recently used process, so that surplus ones reach their idle time.
    const worker = [...this.idle.keys()].at(-1);
    if (worker) this.removeIdle(worker);
    return worker;
  }

  private async start(): Promise<WorkerProcess<Task, Part>> {
    if (this.isClosed) throw new ProcessFailure('closed');
    const worker = await WorkerProcess.start<Task, Part>(this.options);
    this.all.add(worker);
    void worker.exited.then(() => {
      this.removeIdle(worker);
      this.all.delete(worker);
    });
    if (this.isClosed) await worker.kill();
    return worker;
  }

  private release(worker: WorkerProcess<Task, Part>): void {
    const timer = setTimeout(() => void worker.kill(), this.options.idleMs);
    timer.unref();
    this.idle.set(worker, timer);
  }

  private removeIdle(worker: WorkerProcess<Task, Part>): void {
    clearTimeout(this.idle.get(worker));
    this.idle.delete(worker);
  }
}
