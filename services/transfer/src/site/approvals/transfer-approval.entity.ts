import type { Digest } from '@quire/site-package';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { OperationOptions } from '../operations/operation-state.js';
import type { OperationKind } from '../operations/transfer-operation.entity.js';

/** Statuses of requests (spec document 2, States and transitions). */
export const approvalStatuses = ['pending', 'approved', 'denied', 'consumed', 'expired'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** A request of a token without the scope to start a transfer, which an administrator decides (contract 12). */
@Entity('transfer_approvals')
@Index('transfer_approvals_created_at_id', ['createdAt', 'id'])
@Index('transfer_approvals_pending', ['userId', 'requestedByTokenId', 'paramsDigest'], {
  unique: true,
  where: "status = 'pending'",
})
export class TransferApproval {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'transfer_approvals_pkey' })
  id!: string;

  /** The last change of status. A `pending` or `approved` request is expired from `expiresAt` on. */
  @Column('text')
  status!: ApprovalStatus;

  @Column('text')
  action!: OperationKind;

  @Column('text', { name: 'user_id' })
  userId!: string;

  @Column('text', { name: 'requested_by_token_id' })
  requestedByTokenId!: string;

  @Column('text', { name: 'approved_by', nullable: true })
  approvedBy!: string | null;

  /** The import to start; of exports, the one that was started. */
  @Index('transfer_approvals_operation_id')
  @Column('text', { name: 'operation_id', nullable: true })
  operationId!: string | null;

  /** Options of the export. */
  @Column('json')
  options!: Pick<OperationOptions, 'comments'>;

  /** Of the action and its exact arguments. */
  @Column('text', { name: 'params_digest' })
  paramsDigest!: Digest;

  @Column('text', { name: 'package_digest', nullable: true })
  packageDigest!: string | null;

  @Column('text', { name: 'plan_digest', nullable: true })
  planDigest!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;

  /** Time of the approval or denial. */
  @Column({ type: 'timestamptz', name: 'decided_at', precision: 3, nullable: true })
  decidedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'consumed_at', precision: 3, nullable: true })
  consumedAt!: Date | null;
}
