import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A share of the number of entries outside the trash, by locale and status. The triggers of the tables of collections
 * maintain it: migration 0069. A connection writes the shares of its own server process only, so that writers never
 * wait for each other. The number is the sum of all shares; a share may be negative.
 */
@Entity('entry_counts')
export class EntryCount {
  /** The table of a collection. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'entry_counts_pkey' })
  name!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'entry_counts_pkey' })
  locale!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'entry_counts_pkey' })
  status!: string;

  /** Process id of the server process. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'entry_counts_pkey' })
  shard!: number;

  @Column('bigint')
  entries!: number;
}
