import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An object whose bytes a site export needs: it is not deleted before the export has ended or expired. */
@Entity('kept_objects')
@Index('kept_objects_object_key', ['objectKey'])
export class KeptObject {
  @PrimaryColumn('text', { name: 'operation_id', primaryKeyConstraintName: 'kept_objects_pkey' })
  operationId!: string;

  /** Of the bytes, in hexadecimal digits. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'kept_objects_pkey' })
  sha256!: string;

  @Column('text', { name: 'object_key' })
  objectKey!: string;

  @Column('bigint')
  bytes!: number;

  @Column({ type: 'timestamptz', name: 'kept_until', precision: 3 })
  keptUntil!: Date;
}
