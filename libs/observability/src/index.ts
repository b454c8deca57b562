export { createLogger, type Logger } from './logging/logger.js';
export { Metrics } from './metrics/metrics.js';
