import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { MediaFolder } from '../folders/index.js';

export const itemStatuses = ['pending', 'ready', 'failed'] as const;
export type ItemStatus = (typeof itemStatuses)[number];

/** A file of the media library, or a declared upload (contract 6, MediaItem). */
@Entity('media_items')
@Index('media_items_ready', ['createdAt', 'id'], { where: "status = 'ready'" })
@Index('media_items_ready_in_folder', ['folderId', 'createdAt', 'id'], { where: "status = 'ready'" })
@Index('media_items_ready_of_type', ['mimeType', 'createdAt', 'id'], { where: "status = 'ready'" })
@Index('media_items_sha256_size', ['sha256', 'size'])
@Index('media_items_content_hash_size', ['contentHash', 'size'])
export class MediaItem {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'media_items_pkey' })
  id!: string;

  @Column('text')
  filename!: string;

  @Column('text', { name: 'mime_type' })
  mimeType!: string;

  /** In bytes; the declared size while the item is pending. */
  @Column('bigint')
  size!: number;

  @Column('integer', { nullable: true })
  width!: number | null;

  @Column('integer', { nullable: true })
  height!: number | null;

  @Column('text', { nullable: true })
  alt!: string | null;

  @Column('text', { nullable: true })
  caption!: string | null;

  @Column('text', { nullable: true })
  blurhash!: string | null;

  @Column('text', { name: 'dominant_color', nullable: true })
  dominantColor!: string | null;

  /** The key in public addresses, which never changes. */
  @Index('media_items_storage_key', { unique: true })
  @Column('text', { name: 'storage_key' })
  storageKey!: string;

  /** Key of the current bytes in the object store; other bytes get another key. Null while a pending item has none. */
  @Column('text', { name: 'object_key', nullable: true })
  objectKey!: string | null;

  /** Hash for finding candidates of equal files: "xxh64:…". It is not collision-resistant. */
  @Column('text', { name: 'content_hash', nullable: true })
  contentHash!: string | null;

  /** Hash that decides whether bytes are equal, in hexadecimal digits. */
  @Column('text', { nullable: true })
  sha256!: string | null;

  @Index('media_items_folder_id')
  @Column('text', { name: 'folder_id', nullable: true })
  folderId!: string | null;

  @ManyToOne(() => MediaFolder, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'folder_id', foreignKeyConstraintName: 'media_items_folder_id_fkey' })
  folder?: Relation<MediaFolder> | null;

  @Column('text')
  status!: ItemStatus;

  @Column('text', { name: 'author_id', nullable: true })
  authorId!: string | null;

  /** Number of replacements of the bytes. */
  @Column('integer', { default: 0 })
  replacements!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
