export { otherCopies, removeCopies } from './drop-copies.js';
export {
  maxPause,
  moveSteps,
  moveTenant,
  type MoveOptions,
  type MoveReceipt,
  type MoveStep,
} from './move-tenant.js';
export { keyOf, nameOf } from './places.js';
