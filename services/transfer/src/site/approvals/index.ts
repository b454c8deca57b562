export {
  approveTransferApproval,
  denyTransferApproval,
  listTransferApprovals,
} from './approvals.operations.js';
export type { ApprovalResponse } from './approvals.schemas.js';
export type { RequestedStart } from './requested-start.js';
export { assertStartApproved, assertStartedByApproval, consumeApproval } from './use-approval.js';
