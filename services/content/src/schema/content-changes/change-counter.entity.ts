import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A share of the change counter of a table. The triggers of the counted tables maintain it: migration 0070. A
 * connection writes the share of its own server process only, so that writers never wait for each other.
 */
@Entity('change_counters')
export class ChangeCounter {
  /** The table of a collection, or a `SharedCounter`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'change_counters_pkey' })
  name!: string;

  /** Process id of the server process. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'change_counters_pkey' })
  shard!: number;

  @Column('bigint')
  changes!: number;
}
