import type { DescMessage } from '@bufbuild/protobuf';
import type { WorkerTarget } from '@quire/topology';

/** A job: its message, its queue and how it is run, in one place. Producer and worker import the same object. */
export interface JobDeclaration<Message extends DescMessage = DescMessage, Outcome extends string = string> {
  /** Name on the queue, in logs and in metrics. */
  name: string;
  queue: string;
  /** The target whose process runs it. */
  target: WorkerTarget;
  message: Message;
  /** How a run may end, failure aside. */
  outcomes: readonly Outcome[];
  /** Runs before the job counts as failed. */
  attempts: number;
  /** Delay before the second attempt; it doubles from attempt to attempt. */
  backoffMs: number;
  /** Jobs of the queue that one process runs at a time. */
  concurrency: number;
  lockSeconds: number;
  maxStalls: number;
  keepCompleted: number;
  keepFailed: number;
}

/** Types a declaration while keeping its message's and outcomes' exact types. */
export function declareJob<Message extends DescMessage, const Outcome extends string>(
  declaration: JobDeclaration<Message, Outcome>,
): JobDeclaration<Message, Outcome> {
  return declaration;
}
