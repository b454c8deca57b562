import { FairQueue } from './fair-queue.js';
import {
  inspectionTimeoutMs,
  inspectionQueueLimits,
  renderingTimeoutMs,
  renderingQueueLimits,
} from './image-limits.js';
import type { ImageTaskResult, ImageTask } from './process/image-tasks.js';
import { ProcessPool, type ProcessPoolLogger } from './process/process-pool.js';

/** The built program, which sources under test start too: `src` and `dist` lie side by side. */
const script = new URL('../../dist/images/process/main.js', import.meta.url);

/** Where images are decoded: in processes that know no secrets and are killed when they take too long. */
export class ImageProcesses {
  /** Turns to read what is uploaded. */
  readonly reading = new FairQueue(inspectionQueueLimits);
  /** Turns to make variants. */
  readonly rendering = new FairQueue(renderingQueueLimits);
  private readonly timeoutsMs: Record<ImageTask['name'], number>;
  private readonly pool: ProcessPool<ImageTask, ImageTaskResult>;

  /**
   * @param options.program what runs in the processes
   * @param options.timeoutsMs what a task may take, by its name
   */
  constructor(
    logger: ProcessPoolLogger,
    {
      program = script,
      timeoutsMs = { read: inspectionTimeoutMs, render: renderingTimeoutMs },
    }: { program?: URL; timeoutsMs?: Record<ImageTask['name'], number> } = {},
  ) {
    this.timeoutsMs = timeoutsMs;
    this.pool = new ProcessPool({ script: program, maxHeapMebibytes: 128, idleMs: 60_000, logger });
  }

  /**
   * @param file the bytes that the task is about
   * @param found is filled with what the task finds out, as far as it came
   * @throws ProcessFailure
   */
  run(task: ImageTask, file: Buffer | undefined, found: ImageTaskResult): Promise<void> {
    const timeoutMs = this.timeoutsMs[task.name];
    return this.pool.run(task, { bytes: file, timeoutMs, onPart: (part) => Object.assign(found, part) });
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
