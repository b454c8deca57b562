import type { RecordKind } from '@quire/site-package';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * `value`: values of properties that other records name, or that no two records share. `reference`: a value that names
 * another record. `marker`: the first row; it is missing when a crash of the database has emptied the table.
 */
export type KeyRole = 'value' | 'reference' | 'marker';

/** A value of a record of a package that is analyzed: references and uniqueness are checked in sets. */
@Entity('transfer_import_keys')
@Index('transfer_import_keys_operation_id_kind', ['operationId', 'kind', 'role'])
export class ImportKey {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'transfer_import_keys_pkey',
  })
  id!: number;

  @Column('text', { name: 'operation_id' })
  operationId!: string;

  @Column('text')
  role!: KeyRole;

  @Column('text')
  kind!: RecordKind | '';

  /** The properties with the values, separated by commas. */
  @Column('text')
  property!: string;

  /** The kind and the properties that the values belong to, `entries.id`: those of the named record. */
  @Column('text')
  scope!: string;

  /** The value, several ones as JSON; a digest of a long text. */
  @Column('text')
  value!: string;

  /** Key of the record: of the first one that names the value. */
  @Column('text', { name: 'record_key' })
  recordKey!: string;

  /** Records that name the value. */
  @Column('integer')
  count!: number;
}
