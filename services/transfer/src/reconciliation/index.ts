export { reconcileTransfer } from './reconcile-transfer.js';
