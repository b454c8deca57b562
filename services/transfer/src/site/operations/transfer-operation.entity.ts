import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Plan, Receipt } from '../imports/index.js';
import type { OperationCursor, OperationOptions, OperationProgress } from './operation-state.js';

export const operationKinds = ['export', 'import'] as const;
export type OperationKind = (typeof operationKinds)[number];

/** States of exports and imports (contract 25). */
export const operationStates = [
  'pending',
  'uploading',
  'analyzing',
  'planned',
  'running',
  'verifying',
  'complete',
  'failed',
  'cancelled',
  'abandoned',
  'expired',
] as const;
export type OperationState = (typeof operationStates)[number];

/**
 * States that end as `expired` with the files: those of a complete export, whose downloads end, and of an import before
 * its execution.
 */
export const expiringStates: Readonly<Record<OperationKind, readonly OperationState[]>> = {
  export: ['complete'],
  import: ['uploading', 'analyzing', 'planned'],
};

const exportStages = ['export_records', 'export_media', 'export_finalize', 'export_validate'] as const;
export type ExportStage = (typeof exportStages)[number];

/** Of an import in `analyzing`. */
const analysisStages = [
  'analyze_structure',
  'analyze_records',
  'analyze_references',
  'analyze_target',
] as const;
export type AnalysisStage = (typeof analysisStages)[number];

/** Of an import in `running`, and in `verifying` with the last one. */
export const executionStages = [
  'reserve',
  'clear_scaffold',
  'schema',
  'media',
  'terms_bylines',
  'content',
  'relations',
  'presentation',
  'rebuild',
  'verify',
] as const;
export type ExecutionStage = (typeof executionStages)[number];

/** What an operation does at present (contract 25). */
export const operationStages = [...exportStages, ...analysisStages, ...executionStages] as const;
export type OperationStage = (typeof operationStages)[number];

/** An export or an import of the whole site, with its own progress (contract 25). */
@Entity('transfer_operations')
@Index('transfer_operations_kind_created_at_id', ['kind', 'createdAt', 'id'])
@Index('transfer_operations_idempotency_key', ['kind', 'createdBy', 'idempotencyKey'], { unique: true })
@Index('transfer_operations_active_import', ['kind'], {
  unique: true,
  where: `kind = 'import' AND (state IN ('uploading', 'analyzing', 'planned', 'running', 'verifying')
    OR (state IN ('failed', 'cancelled') AND mutation_started_at IS NOT NULL))`,
})
export class TransferOperation {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'transfer_operations_pkey' })
  id!: string;

  @Column('text')
  kind!: OperationKind;

  @Column('text')
  state!: OperationState;

  @Column('text', { nullable: true })
  stage!: OperationStage | null;

  @Column('json')
  options!: OperationOptions;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey!: string | null;

  @Column('json', { nullable: true })
  progress!: OperationProgress | null;

  /** How far the stage is; only the steps read it. */
  @Column('json')
  cursor!: OperationCursor;

  @Column('text', { name: 'package_digest', nullable: true })
  packageDigest!: string | null;

  /** The exported site; null for exports. */
  @Column('text', { name: 'origin_site_id', nullable: true })
  originSiteId!: string | null;

  /** What an import will do, once it is analyzed. */
  @Column('json', { nullable: true })
  plan!: Plan | null;

  @Column('text', { name: 'plan_digest', nullable: true })
  planDigest!: string | null;

  /** The proof of a complete import. */
  @Column('json', { nullable: true })
  receipt!: Receipt | null;

  @Column('text', { name: 'error_code', nullable: true })
  errorCode!: string | null;

  @Column('json', { name: 'error_detail', nullable: true })
  errorDetail!: Record<string, string | number> | null;

  /** Failed attempts at the present step. */
  @Column('integer', { name: 'attempt_count', default: 0 })
  attemptCount!: number;

  @Column('text', { name: 'created_by' })
  createdBy!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  /** Files that the package of an import declares, as far as its index is received. */
  @Column('integer', { name: 'declared_files', default: 0 })
  declaredFiles!: number;

  /** Those among them that are stored. */
  @Column('integer', { name: 'stored_files', default: 0 })
  storedFiles!: number;

  /** Time when a user cancelled the import: it ends after the present step. */
  @Column({ type: 'timestamptz', name: 'cancel_requested_at', precision: 3, nullable: true })
  cancelRequestedAt!: Date | null;

  /** Time when the import began to write to the site. */
  @Column({ type: 'timestamptz', name: 'mutation_started_at', precision: 3, nullable: true })
  mutationStartedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt!: Date | null;

  /** Time from which the files are deleted. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Time when the files were deleted. */
  @Column({ type: 'timestamptz', name: 'staging_collected_at', precision: 3, nullable: true })
  stagingCollectedAt!: Date | null;
}
