/** The program of an image process: decodes untrusted files, one task after the other, until it is killed. */
import type { ImageTaskResult, ImageTask } from './image-tasks.js';
import { readDimensions, readPlaceholder } from './inspect-image.js';
import { renderImage } from './render-image.js';
import type { TaskRequest, TaskMessage } from './worker-process.js';

function send(message: TaskMessage<ImageTaskResult>): void {
  process.send?.(message);
}

async function handle({ task, byteLength }: TaskRequest<ImageTask>): Promise<void> {
  const file = await receive(byteLength);
  if (task.name === 'render') {
    send({ part: { bytes: await renderImage(file, task.spec) } });
  } else {
    if (file.length > 0) send({ part: await readDimensions(file) });
    const picture = task.thumbnail ?? (task.isWhole ? file : undefined);
    if (picture) send({ part: await readPlaceholder(picture) });
  }
  send({ end: true });
}

/** Reads the bytes of a task from the standard input, on which the bytes of all tasks follow each other. */
function receive(length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  if (length === 0) return Promise.resolve(bytes);
  let received = 0;
  return new Promise((resolve) => {
    const take = (chunk: Buffer) => {
      received += chunk.copy(bytes, received);
      if (received < length) return;
      process.stdin.off('data', take).pause();
      resolve(bytes);
    };
    process.stdin.on('data', take).resume();
  });
}

// Signals of a terminal reach all its processes. Only the parent ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Without a parent the result of a task is not needed, and an orderly exit would wait for the task.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (sent: TaskRequest<ImageTask>) => void handle(sent));
send({ end: true });
