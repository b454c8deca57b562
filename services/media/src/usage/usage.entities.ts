import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import type { Occurrence, UsageVariant } from './usage.schemas.js';

/** An entry with references to media, with the fields of usage lists. */
@Entity('media_usage_entries')
export class UsageEntryRow {
  @PrimaryColumn('text', { name: 'collection_id', primaryKeyConstraintName: 'media_usage_entries_pkey' })
  collectionId!: string;

  @PrimaryColumn('text', { name: 'content_id', primaryKeyConstraintName: 'media_usage_entries_pkey' })
  contentId!: string;

  @Column('text', { name: 'collection_slug' })
  collectionSlug!: string;

  @Column('text', { nullable: true })
  title!: string | null;

  @Column('text', { nullable: true })
  slug!: string | null;

  @Column('text')
  locale!: string;

  @Column('text')
  status!: string;

  @Column({ type: 'timestamptz', name: 'scheduled_at', precision: 3, nullable: true })
  scheduledAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt!: Date | null;

  /** Digest of the indexed state of the entry. An equal digest means that nothing has to be written. */
  @Column('text')
  digest!: string;
}

/** The references of one variant of an entry to one media item. */
@Entity('media_usage_sources')
@Index('media_usage_sources_entry', ['collectionId', 'contentId'])
export class UsageSource {
  @PrimaryColumn('text', { name: 'media_id', primaryKeyConstraintName: 'media_usage_sources_pkey' })
  mediaId!: string;

  @PrimaryColumn('text', { name: 'collection_id', primaryKeyConstraintName: 'media_usage_sources_pkey' })
  collectionId!: string;

  @PrimaryColumn('text', { name: 'content_id', primaryKeyConstraintName: 'media_usage_sources_pkey' })
  contentId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'media_usage_sources_pkey' })
  variant!: UsageVariant;

  @Column('json')
  occurrences!: Occurrence[];

  /** True of one source per item and entry, unless the entry is trashed: these are counted. */
  @Column('boolean', { default: false })
  counts!: boolean;

  @ManyToOne(() => UsageEntryRow, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'collection_id',
      referencedColumnName: 'collectionId',
      foreignKeyConstraintName: 'media_usage_sources_entry_fkey',
    },
    {
      name: 'content_id',
      referencedColumnName: 'contentId',
      foreignKeyConstraintName: 'media_usage_sources_entry_fkey',
    },
  ])
  entry?: Relation<UsageEntryRow>;
}

/**
 * Numbers of entries of one collection that use an item: their sum is the count. Triggers of the sources maintain them.
 */
@Entity('media_usage_counts')
@Index('media_usage_counts_item', ['mediaId', 'collectionId'])
export class UsageCount {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'media_usage_counts_pkey',
  })
  id!: number;

  @Column('text', { name: 'media_id' })
  mediaId!: string;

  @Column('text', { name: 'collection_id' })
  collectionId!: string;

  /** The difference to the other numbers of the item and the collection: it may be negative. */
  @Column('bigint')
  entries!: number;
}

/** The coverage of a collection by the usage index, and its running or last repair. */
@Entity('media_usage_coverage')
export class UsageCoverage {
  @PrimaryColumn('text', { name: 'collection_id', primaryKeyConstraintName: 'media_usage_coverage_pkey' })
  collectionId!: string;

  @Column('text', { name: 'collection_slug' })
  collectionSlug!: string;

  @Column('text')
  status!: string;

  /** Whether changes are indexed. Otherwise they make the coverage stale. */
  @Column('boolean', { name: 'is_tracked', default: false })
  isTracked!: boolean;

  /** Whether this service is subscribed to changes of the collection. */
  @Column('boolean', { name: 'is_subscribed', default: false })
  isSubscribed!: boolean;

  /** Whether a change is not in the index. */
  @Column('boolean', { name: 'is_outdated', default: false })
  isOutdated!: boolean;

  /** The shape of the collection's fields at the last repair. */
  @Column('text', { nullable: true })
  shape!: string | null;

  @Column('integer', { name: 'indexed_sources', default: 0 })
  indexedSources!: number;

  @Column('integer', { name: 'failed_sources', default: 0 })
  failedSources!: number;

  @Column('integer', { name: 'skipped_sources', default: 0 })
  skippedSources!: number;

  @Column('integer', { name: 'deleted_sources', default: 0 })
  deletedSources!: number;

  @Column('text', { name: 'last_error_code', nullable: true })
  lastErrorCode!: string | null;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3, nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt!: Date | null;

  @Column('text', { name: 'repair_token', nullable: true })
  repairToken!: string | null;

  @Column({ type: 'timestamptz', name: 'repair_expires_at', precision: 3, nullable: true })
  repairExpiresAt!: Date | null;
}
