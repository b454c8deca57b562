import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ImportChannel, ImportConfig, ImportCounts } from './import-state.js';

/**
 * `reading`: the file arrives and is indexed. `running`: a worker takes the steps. `paused`: no step is taken until it
 * is resumed. `complete` and `failed` are final, but a failed import can be resumed.
 */
export const importStates = ['reading', 'running', 'paused', 'complete', 'failed'] as const;
export type ImportState = (typeof importStates)[number];

/** The steps of an import in their order (contract 1.4). */
export const importPhases = [
  'bylines',
  'terms',
  'parents',
  'content',
  'hierarchy',
  'sections',
  'menus',
  'end',
] as const;
export type ImportPhase = (typeof importPhases)[number];

/** One import of one file or other source: the request's configuration, and its progress. */
@Entity('imports')
@Index('imports_created_at_id', ['createdAt', 'id'])
export class Import {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'imports_pkey' })
  id!: string;

  /** Id of the import source: `wxr`, or that of a custom one. */
  @Column('text')
  source!: string;

  /** Identity of the source site: its host and path. Records of imports belong to it. */
  @Column('text')
  site!: string;

  @Column('text')
  state!: ImportState;

  @Column('text')
  phase!: ImportPhase;

  /** Items of the phase up to this position are done. */
  @Column('integer', { default: 0 })
  cursor!: number;

  @Column('json')
  config!: ImportConfig;

  /** What the file says of its site. */
  @Column('json')
  channel!: ImportChannel;

  /** Key of the stored file; null when it has been deleted, and for sources without a file. */
  @Column('text', { name: 'file_key', nullable: true })
  fileKey!: string | null;

  @Column('text', { name: 'file_name', nullable: true })
  fileName!: string | null;

  @Column('bigint', { name: 'file_size', nullable: true })
  fileSize!: string | null;

  /** xxHash64 of the file as it was sent. */
  @Column('text', { name: 'file_hash', nullable: true })
  fileHash!: string | null;

  @Column('json')
  counts!: ImportCounts;

  /** Failed attempts at the next step. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** The fault that ended a failed import. */
  @Column('json', { nullable: true })
  error!: { code: string; message: string } | null;

  /** The user who started it. */
  @Column('text', { name: 'requested_by' })
  requestedBy!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
