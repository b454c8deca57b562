import { pageQuery } from '@quire/operation';
import { digestSchema } from '@quire/site-package';
import { z } from 'zod';
import { operationKinds } from '../operations/transfer-operation.entity.js';
import { approvalStatuses } from './transfer-approval.entity.js';

const instant = z.iso.datetime();

/** A request in responses (contract 25). */
export const approvalSchema = z
  .object({
    id: z.string(),
    status: z.enum(approvalStatuses),
    action: z.enum(operationKinds),
    userId: z.string(),
    requestedBy: z.object({
      id: z.string(),
      name: z.string().nullable().describe('Name, or address of a user without one; null for a deleted user'),
    }),
    requestedByTokenId: z.string().nullable(),
    tokenName: z
      .string()
      .nullable()
      .describe('Name of the token, or of its application; null for a deleted one'),
    approvedBy: z.string().nullable(),
    operationId: z.string().nullable().describe('The import; of exports, the one that was started'),
    options: z.object({ comments: z.boolean().optional() }).describe('Options of the export'),
    paramsDigest: digestSchema.nullable().describe('Of the action and its exact arguments'),
    packageDigest: z.string().nullable(),
    planDigest: z.string().nullable(),
    expiresAt: instant,
    createdAt: instant,
    decidedAt: instant.nullable(),
    consumedAt: instant.nullable(),
  })
  .meta({ id: 'TransferApproval' });

export type ApprovalResponse = z.output<typeof approvalSchema>;

export const approvalsQuery = pageQuery.extend({ status: z.enum(approvalStatuses).optional() });

export type ApprovalsQuery = z.output<typeof approvalsQuery>;
