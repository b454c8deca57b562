export { startEventLoopMonitor } from './event-loop-delay.js';
export { LoadShedder, shedReasons } from './load-shedder.js';
export { SiteRequestLimit } from './site-request-limit.js';
