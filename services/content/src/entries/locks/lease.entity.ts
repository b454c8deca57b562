import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The edit lease on an entry (contract 8): one row for each entry, valid until `expiresAt`, taken over in place. */
@Entity('entry_locks')
export class Lease {
  @PrimaryColumn('text', { name: 'entry_id', primaryKeyConstraintName: 'entry_locks_pkey' })
  entryId!: string;

  @Column('text', { name: 'user_id' })
  userId!: string;

  @Column('text', { name: 'user_name', nullable: true })
  userName!: string | null;

  /** Names one editing session. */
  @Column('text', { nullable: true })
  token!: string | null;

  @Column({ type: 'timestamptz', name: 'acquired_at', precision: 3 })
  acquiredAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
