import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A share of the bytes of all ready items. The triggers of `media_items` maintain it: migration 0073. The number is the
 * sum of all shares; a share may be negative.
 */
@Entity('storage_use')
export class StorageUse {
  /** Of the server process that wrote it: writers of different shares do not wait for each other. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'storage_use_pkey' })
  shard!: number;

  @Column('bigint')
  bytes!: number;
}
