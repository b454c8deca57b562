import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A record of the site as it was when an export began, or as a verification compares it. */
@Entity('staged_records')
export class StagedRecord {
  @PrimaryColumn('text', { name: 'operation_id', primaryKeyConstraintName: 'staged_records_pkey' })
  operationId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'staged_records_pkey' })
  kind!: string;

  /** Counts from 1 for each kind, in the order of the records' keys. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'staged_records_pkey' })
  position!: number;

  /** JSON without line feeds. */
  @Column('text')
  record!: string;
}
