import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A file of the package of an operation: `manifest.json`, or one that the package declares. */
@Entity('transfer_files')
@Index('transfer_files_operation_id_path', ['operationId', 'path'], { unique: true })
@Index('transfer_files_missing', ['operationId', 'position'], { where: 'NOT is_stored' })
export class PackageFile {
  @PrimaryColumn('text', { name: 'operation_id', primaryKeyConstraintName: 'transfer_files_pkey' })
  operationId!: string;

  /** Place in the archive, from 1. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'transfer_files_pkey' })
  position!: number;

  @Column('text')
  path!: string;

  @Column('bigint')
  bytes!: number;

  /** Of the bytes, in hexadecimal digits. */
  @Column('text')
  sha256!: string;

  /** Where the bytes are in the object store. Media files of an export are the objects of the library. */
  @Column('text', { name: 'object_key' })
  objectKey!: string;

  /** Whether the bytes are stored and have the digest; false for a file that a client has yet to upload. */
  @Column('boolean', { name: 'is_stored', default: true })
  isStored!: boolean;
}
