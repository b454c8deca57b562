export { createCache, dropReasonOf, observeCache, type DropReason } from './caches/observed-caches.js';
export { memoizeFor } from './metrics/memoize-for.js';
export { createLogger, type Logger } from './logging/logger.js';
export { metricCatalogue, metricReference, type MetricName } from './metrics/catalogue.js';
export { Metrics, type Sample } from './metrics/metrics.js';
