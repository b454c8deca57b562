import type { DescMessage } from '@bufbuild/protobuf';
import type { WorkerTarget } from '@quire/topology';

/** A job: its message, its queue and its run options, in one object that producer and worker import. */
export interface JobDeclaration<Message extends DescMessage = DescMessage, Outcome extends string = string> {
  /** Name on the queue, in logs and in metrics. */
  name: string;
  queue: string;
  /** The target whose process runs it. */
  target: WorkerTarget;
  message: Message;
  /** The possible outcomes of a run other than failure. */
  outcomes: readonly Outcome[];
  /** Maximum runs before the job counts as failed. */
  attempts: number;
  /** Delay before the second attempt; it doubles from attempt to attempt. */
  backoffMs: number;
  /** Maximum number of jobs of the queue that one process runs at a time. */
  concurrency: number;
  lockSeconds: number;
  maxStalls: number;
  keepCompleted: number;
  keepFailed: number;
}

/** Declares a job with the exact types of its message and outcomes. */
export function declareJob<Message extends DescMessage, const Outcome extends string>(
  declaration: JobDeclaration<Message, Outcome>,
): JobDeclaration<Message, Outcome> {
  return declaration;
}
