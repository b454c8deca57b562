import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type Support = 'drafts' | 'revisions' | 'preview' | 'scheduling' | 'search' | 'seo';

/** The settings of a collection. Its entries are in a table of their own, `content_<slug>`. */
@Entity('collections')
export class Collection {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'collections_pkey' })
  id!: string;

  @Index('collections_slug', { unique: true })
  @Column('text')
  slug!: string;

  @Column('text')
  label!: string;

  @Column('text', { name: 'label_singular', nullable: true })
  labelSingular!: string | null;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { nullable: true })
  icon!: string | null;

  @Column('json', { nullable: true })
  admin!: { listColumns?: string[] } | null;

  @Column('text', { array: true })
  supports!: Support[];

  @Column('text', { nullable: true })
  source!: string | null;

  @Column('text', { name: 'url_pattern', nullable: true })
  urlPattern!: string | null;

  @Column('boolean')
  routable!: boolean;

  @Column('boolean', { name: 'has_seo' })
  hasSeo!: boolean;

  @Column('boolean')
  hidden!: boolean;

  @Column('integer', { name: 'sort_order', nullable: true })
  sortOrder!: number | null;

  @Column('text', { name: 'title_field', nullable: true })
  titleField!: string | null;

  @Column('text', { name: 'date_field', nullable: true })
  dateField!: string | null;

  @Column('boolean', { name: 'comments_enabled', default: false })
  commentsEnabled!: boolean;

  @Column('text', { name: 'comments_moderation', default: 'first_time' })
  commentsModeration!: 'all' | 'first_time' | 'none';

  @Column('integer', { name: 'comments_closed_after_days', default: 90 })
  commentsClosedAfterDays!: number;

  @Column('boolean', { name: 'comments_auto_approve_users', default: true })
  commentsAutoApproveUsers!: boolean;

  @Column('boolean', { name: 'edit_locking', default: true })
  editLocking!: boolean;

  @Column('text', { nullable: true })
  group!: string | null;

  /**
   * Grows with every change of the collection or its fields. A write of an entry names the version it was checked by.
   */
  @Column('integer', { default: 1 })
  version!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
