export { isRedisUrl, redisOptions } from './connection/redis-options.js';
export { readEvictionPolicy } from './policy/eviction-policy.js';
