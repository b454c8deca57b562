export { Lease } from './lease.entity.js';
