export { createRedis, type RedisClient, type RedisClientOptions } from './client/create-redis.js';
export { readEvictionPolicy } from './policy/eviction-policy.js';
