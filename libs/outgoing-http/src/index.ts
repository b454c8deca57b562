export { guardedFetch, type GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.js';
export { followRedirects, TooManyRedirectsError } from './redirects.js';
export { ResponseTooLargeError } from './limits.js';
export { DisallowedAddressError } from './addresses.js';
export { addressCheck, type AddressCheck } from './address-check.js';
export { limitedFetch, type FetchLimits } from './limited-fetch.js';
