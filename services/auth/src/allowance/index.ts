export { isAllowed, requireAllowance } from './require-allowance.js';
