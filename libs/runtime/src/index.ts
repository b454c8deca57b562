export { Lifecycle, maxStopMs } from './lifecycle/lifecycle.js';
export { IntervalTask, type Sweep } from './interval-task/interval-task.js';
export { Listener, type RequestHandler } from './listener/listener.js';
