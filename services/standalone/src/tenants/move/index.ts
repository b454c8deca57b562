export { moveTenant, type MoveOptions, type MoveReceipt, type MoveStep } from './move-tenant.js';
export { keyOf, nameOf } from './places.js';
