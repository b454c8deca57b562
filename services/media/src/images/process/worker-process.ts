import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

export interface WorkerProcessOptions {
  /**
   * The program. It sends an end once it is ready, and parts and an end for each task. It receives a task as a message,
   * and the bytes of the task on its standard input.
   */
  script: URL;
  /** Maximum size of its heap, without buffers. */
  maxHeapMebibytes: number;
}

/** The message with a task. */
export interface TaskRequest<Task> {
  task: Task;
  byteLength: number;
}

/** Options of a task. */
export interface TaskOptions<Part> {
  /** The bytes of the task. They are not serialised, which would block the event loop. */
  bytes?: Buffer | undefined;
  timeoutMs: number;
  /** Receives each part of the result, also if the task fails later. */
  onPart: (part: Part) => void;
}

/** A message of the program: parts of a result, then an end. */
export type TaskMessage<Part> = { part: Part } | { end: true };

/** The reason for a missing result: a timeout, an exit of the process, or the end of the pool. */
export type ProcessFailureReason = 'timeout' | 'exit' | 'closed';

export class ProcessFailure extends Error {
  constructor(readonly reason: ProcessFailureReason) {
    super(`Process ended without a result (${reason})`);
    this.name = 'ProcessFailure';
  }
}

/** Time limit of the start of a process, also on a busy machine. */
const startTimeoutMs = 30_000;

/**
 * The environment has no variables of the parent, which hold secrets. One arena of malloc limits the memory of a
 * process that handles large buffers.
 */
const environment = { MALLOC_ARENA_MAX: '1' };

interface PendingTask<Part> {
  onPart: (part: Part) => void;
  settle: (failure?: ProcessFailureReason) => void;
}

/** A child process that runs one task at a time. A task that exceeds its time limit ends its process. */
export class WorkerProcess<Task extends object, Part extends object> {
  /** Resolves when the process has exited. */
  readonly exited: Promise<void>;
  private readonly child: ChildProcess;
  private waiting: PendingTask<Part> | undefined;

  private constructor({ script, maxHeapMebibytes }: WorkerProcessOptions) {
    this.child = fork(script, [], {
      env: environment,
      execArgv: [`--max-old-space-size=${maxHeapMebibytes}`],
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    });
    // A process without a task does not keep the parent alive.
    this.child.unref();
    this.child.channel?.unref();
    (this.child.stdin as Socket | null)?.unref();
    // Writes to a dying process fail with its task.
    this.child.stdin?.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      // A process that could not be started emits no exit event.
      this.child.on('error', () => (this.child.pid === undefined ? resolve() : this.signalKill()));
    });
    void this.exited.then(() => this.waiting?.settle('exit'));
    this.child.on('message', (message: TaskMessage<Part>) => {
      if ('part' in message) this.waiting?.onPart(message.part);
      else this.waiting?.settle();
    });
  }

  /** Starts a process. @throws ProcessFailure */
  static async start<Task extends object, Part extends object>(
    options: WorkerProcessOptions,
  ): Promise<WorkerProcess<Task, Part>> {
    const worker = new WorkerProcess<Task, Part>(options);
    await worker.end({ timeoutMs: startTimeoutMs, onPart: () => undefined });
    return worker;
  }

  /** @throws ProcessFailure on a timeout or an exit; the process has then ended */
  async run(task: Task, terms: TaskOptions<Part>): Promise<void> {
    const { bytes } = terms;
    const end = this.end(terms);
    const sent: TaskRequest<Task> = { task, byteLength: bytes?.length ?? 0 };
    this.child.send(sent, (error) => {
      if (error) this.signalKill();
    });
    if (bytes) this.child.stdin?.write(bytes);
    await end;
  }

  /** Kills the process. */
  async kill(): Promise<void> {
    this.signalKill();
    await this.exited;
  }

  private async end({ timeoutMs, onPart }: TaskOptions<Part>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const failure = await new Promise<ProcessFailureReason | undefined>((settle) => {
      this.waiting = { onPart, settle };
      timer = setTimeout(() => settle('timeout'), timeoutMs);
    });
    clearTimeout(timer);
    this.waiting = undefined;
    if (failure === undefined) return;
    await this.kill();
    throw new ProcessFailure(failure);
  }

  private signalKill(): void {
    this.child.kill('SIGKILL');
  }
}
