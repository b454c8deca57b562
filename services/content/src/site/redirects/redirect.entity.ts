import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A redirect rule. */
@Entity('redirects')
@Index('redirects_created_at', ['createdAt', 'id'])
@Index('redirects_source_start', ['sourceKey'])
@Index('redirects_pattern_start', ['sourceKey'], { where: 'prefix IS NOT NULL' })
@Index('redirects_pattern', { synchronize: false })
@Index('redirects_auto_destination', ['destination'], { where: 'auto', type: 'hash' })
export class Redirect {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'redirects_pkey' })
  id!: string;

  /** As submitted. */
  @Column('text')
  source!: string;

  /** The form in which sources are compared; of a pattern, without the names of its placeholders. */
  @Index('redirects_source_key', { unique: true })
  @Column('text', { name: 'source_key' })
  sourceKey!: string;

  /** Of a pattern, the prefix of every path that it matches; null for a rule of a single path. */
  @Column('text', { nullable: true })
  prefix!: string | null;

  /** Empty for 410 and 451. */
  @Column('text')
  destination!: string;

  @Column('integer')
  type!: number;

  @Column('boolean')
  enabled!: boolean;

  @Column('bigint', { default: 0 })
  hits!: number;

  @Column({ type: 'timestamptz', name: 'last_hit_at', precision: 3, nullable: true })
  lastHitAt!: Date | null;

  @Column('text', { name: 'group_name', nullable: true })
  groupName!: string | null;

  /** Created by `SlugRedirects`, not by a user. */
  @Column('boolean', { default: false })
  auto!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
