export { Lifecycle } from './lifecycle/lifecycle.js';
export { Listener, type RequestHandler } from './listener/listener.js';
