import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

export interface WorkerProcessOptions {
  /**
   * The program. It answers with an end when it takes tasks, and then each task with parts and an end. It gets a task
   * as a message, and the bytes that belong to it on its standard input.
   */
  script: URL;
  /** Its heap; buffers are beside it. */
  maxHeapMebibytes: number;
}

/** What a program gets. */
export interface TaskRequest<Task> {
  task: Task;
  byteLength: number;
}

/** How a task is to be done. */
export interface TaskOptions<Part> {
  /** What belongs to the task: written as they are, which takes the event loop no time. */
  bytes?: Buffer | undefined;
  timeoutMs: number;
  /** Gets each part of the result as it comes, also when the task fails later. */
  onPart: (part: Part) => void;
}

/** What a program answers: parts of a result as they are found, then an end. */
export type TaskMessage<Part> = { part: Part } | { end: true };

/** Why a task has no result: it took too long, its process died, or all processes are to end. */
export type ProcessFailureReason = 'timeout' | 'exit' | 'closed';

export class ProcessFailure extends Error {
  constructor(readonly reason: ProcessFailureReason) {
    super(`A process gave no result (${reason})`);
    this.name = 'ProcessFailure';
  }
}

/** A process must take tasks by then, however busy the machine is. */
const startTimeoutMs = 30_000;

/**
 * None of the parent's variables, which hold secrets. One arena of malloc keeps a process that handles large buffers
 * small.
 */
const environment = { MALLOC_ARENA_MAX: '1' };

interface PendingTask<Part> {
  onPart: (part: Part) => void;
  settle: (failure?: ProcessFailureReason) => void;
}

/** A child process that does one task at a time. A task that exceeds its time ends with it. */
export class WorkerProcess<Task extends object, Part extends object> {
  /** Resolves when the process is gone. */
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
    // A process without a task keeps nobody from ending.
    this.child.unref();
    this.child.channel?.unref();
    (this.child.stdin as Socket | null)?.unref();
    // What is written to one that dies is lost with its task.
    this.child.stdin?.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      // One that could not be started never exits.
      this.child.on('error', () => (this.child.pid === undefined ? resolve() : this.signalKill()));
    });
    void this.exited.then(() => this.waiting?.settle('exit'));
    this.child.on('message', (answer: TaskMessage<Part>) => {
      if ('part' in answer) this.waiting?.onPart(answer.part);
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

  /** @throws ProcessFailure when there is no end in time, or none at all; the process is gone then */
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

  /** Ends the process at once. */
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
