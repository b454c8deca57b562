export { requireAllowance } from './require-allowance.js';
