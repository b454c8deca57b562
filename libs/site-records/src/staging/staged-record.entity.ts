import type { EntityClass } from '@quire/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A record of the site as it was when an export began, or as a verification compares it. */
export interface StagedRecord {
  operationId: string;
  kind: string;
  /** Counts from 1 for each kind, in the order of the records' keys. */
  position: number;
  /** JSON without line feeds. */
  record: string;
}

/** The entity of a table of copied records. */
export function stagedRecordEntity(table: string): EntityClass<StagedRecord> {
  const primaryKeyConstraintName = `${table}_pkey`;

  @Entity(table)
  class CopiedRecord implements StagedRecord {
    @PrimaryColumn('text', { name: 'operation_id', primaryKeyConstraintName })
    operationId!: string;

    @PrimaryColumn('text', { primaryKeyConstraintName })
    kind!: string;

    @PrimaryColumn('bigint', { primaryKeyConstraintName })
    position!: number;

    @Column('text')
    record!: string;
  }
  return CopiedRecord;
}
