import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** `failed`: the storage was full. What was stored until then stays. */
export const mediaImportStates = ['running', 'complete', 'failed'] as const;
export type MediaImportState = (typeof mediaImportStates)[number];

/** One list of attachments to download (contract 1.5). The same list sent again while it runs is the same import. */
@Entity('media_imports')
@Index('media_imports_finished_at', ['finishedAt'])
@Index('media_imports_running', ['listHash'], { unique: true, where: "state = 'running'" })
export class MediaImport {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'media_imports_pkey' })
  id!: string;

  /** SHA-256 of the list, in hexadecimal digits. */
  @Column('text', { name: 'list_hash' })
  listHash!: string;

  @Column('text')
  state!: MediaImportState;

  /** Number of attachments. */
  @Column('integer')
  total!: number;

  /** The fault that ended a failed import. */
  @Column('json', { nullable: true })
  error!: { code: 'STORAGE_QUOTA_EXCEEDED'; message: string; details: object } | null;

  /** The user who started it, and the author of the new media items. */
  @Column('text', { name: 'requested_by', nullable: true })
  requestedBy!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
