import { FairQueue } from './fair-queue.js';
import {
  inspectionTimeoutMs,
  inspectionQueueLimits,
  renderingTimeoutMs,
  renderingQueueLimits,
} from './image-limits.js';
import type { ImageTaskResult, ImageTask } from './process/image-tasks.js';
import { ProcessPool, type ProcessPoolLogger } from './process/process-pool.js';

/** The built program. Specs start it from `src` too, which is beside `dist`. */
const script = new URL('../../dist/images/process/main.js', import.meta.url);

/** Decodes images in child processes, which have no secrets and are killed on a timeout. */
export class ImageProcesses {
  /** Queue of the inspections of uploads. */
  readonly reading = new FairQueue(inspectionQueueLimits);
  /** Queue of the renderings of variants. */
  readonly rendering = new FairQueue(renderingQueueLimits);
  private readonly timeoutsMs: Record<ImageTask['name'], number>;
  private readonly pool: ProcessPool<ImageTask, ImageTaskResult>;

  /**
   * @param options.program the program of the processes
   * @param options.timeoutsMs time limits of tasks by name
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
   * @param file the bytes for the task
   * @param found receives the results of the task, also those before a failure
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
