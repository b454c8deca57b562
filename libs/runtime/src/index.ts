export { Lifecycle } from './lifecycle/lifecycle.js';
export { Periodic } from './periodic/periodic.js';
export { Sweep } from './periodic/sweep.js';
export { Listener, type RequestHandler } from './listener/listener.js';
