import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { MediaImport } from './media-import.entity.js';

/**
 * `pending`: it waits for a worker, also for its next attempt. `uploading`: the bytes pass on to the store. `done`: a
 * new media item. `skipped`: the bytes, or the address, are stored already.
 */
export const downloadStates = ['pending', 'downloading', 'uploading', 'done', 'skipped', 'failed'] as const;
export type DownloadState = (typeof downloadStates)[number];

/** One attachment of a media import, with its progress. Workers take it from `media_download_tasks`. */
@Entity('media_downloads')
@Index('media_downloads_updated_at', ['importId', 'updatedAt'])
@Index('media_downloads_same_as', ['importId', 'sameAs'], { where: 'same_as IS NOT NULL' })
@Index('media_downloads_unfinished', ['importId'], {
  where: "state IN ('pending', 'downloading', 'uploading')",
})
export class MediaDownload {
  @PrimaryColumn('text', { name: 'import_id', primaryKeyConstraintName: 'media_downloads_pkey' })
  importId!: string;

  @ManyToOne(() => MediaImport, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id', foreignKeyConstraintName: 'media_downloads_import_id_fkey' })
  import?: Relation<MediaImport>;

  /** Its place in the list, from 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'media_downloads_pkey' })
  number!: number;

  /** The id of the attachment in the source. */
  @Column('bigint', { name: 'legacy_id', nullable: true })
  legacyId!: number | null;

  /** The address as it was sent; empty when there was none. */
  @Column('text')
  url!: string;

  /** SHA-256 of the address that is requested, in hexadecimal digits; null when none can be. */
  @Column('text', { name: 'url_hash', nullable: true })
  urlHash!: string | null;

  @Column('text', { nullable: true })
  filename!: string | null;

  @Column('text', { name: 'mime_type', nullable: true })
  mimeType!: string | null;

  @Column('text', { nullable: true })
  alt!: string | null;

  @Column('text', { nullable: true })
  caption!: string | null;

  /** Number of the download with the same address, whose result is also the one of this row. */
  @Column('integer', { name: 'same_as', nullable: true })
  sameAs!: number | null;

  @Column('text')
  state!: DownloadState;

  /** Failed attempts that were the source's fault. */
  @Column('integer', { default: 0 })
  tries!: number;

  /** Id of the media item that the download creates: a repeated attempt finds what the interrupted one created. */
  @Column('text', { name: 'item_id' })
  itemId!: string;

  @Column('text', { nullable: true })
  error!: string | null;

  /** Set when it is done or skipped. */
  @Column('text', { name: 'media_id', nullable: true })
  mediaId!: string | null;

  @Column('text', { name: 'new_url', nullable: true })
  newUrl!: string | null;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
