import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A requested path that was not found: one row for all its requests. */
@Entity('not_found_log')
export class NotFoundEntry {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'not_found_log_pkey' })
  id!: string;

  @Index('not_found_log_path', { unique: true })
  @Column('text')
  path!: string;

  @Column('bigint')
  count!: number;

  /** Of the last visit, like the next two. */
  @Column('text', { nullable: true })
  referrer!: string | null;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @Column('text', { nullable: true })
  ip!: string | null;

  /** The most frequent referrers with their counts. */
  @Column('json')
  referrers!: Record<string, number>;

  /** The time of the first request. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_seen_at', precision: 3 })
  lastSeenAt!: Date;
}
