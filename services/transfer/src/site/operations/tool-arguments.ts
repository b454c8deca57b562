import { z } from 'zod';

/** Arguments that several tools of site transfers have (contract 12). */
export const operationIdArgument = z
  .string()
  .regex(/^[0-9A-Za-z_-]{1,64}$/, 'must be the id of an operation')
  .describe('id of the operation');

export const approvalIdArgument = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe('Only for a token without the scope: approvalId of TRANSFER_APPROVAL_REQUIRED, once approved');
