export { memoizeFor } from './metrics/memoize-for.js';
export { createLogger, type Logger } from './logging/logger.js';
export { metricCatalogue, metricReference, type MetricName } from './metrics/catalogue.js';
export { Metrics, type Sample } from './metrics/metrics.js';
