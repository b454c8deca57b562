export { guardedFetch, type GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.js';
export { ResponseTooLargeError } from './limits.js';
export { DisallowedAddressError } from './addresses.js';
export { limitedFetch, type FetchLimits } from './limited-fetch.js';
