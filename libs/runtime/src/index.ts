export { Lifecycle } from './lifecycle/lifecycle.js';
export { IntervalTask } from './periodic/interval-task.js';
export { WorkQueueRunner } from './periodic/work-queue-runner.js';
export { Listener, type RequestHandler } from './listener/listener.js';
