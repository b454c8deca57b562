import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A variant that was made of the bytes of an image, or that cannot be made of them. */
@Entity('media_variants')
export class MediaVariant {
  /** The object that the bytes of the image are in. */
  @PrimaryColumn('text', { name: 'source_key', primaryKeyConstraintName: 'media_variants_pkey' })
  sourceKey!: string;

  /** What it looks like: "640-75.webp". */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'media_variants_pkey' })
  name!: string;

  /** Null for one that cannot be made. */
  @Column('text', { name: 'object_key', nullable: true })
  objectKey!: string | null;

  /** In bytes. */
  @Column('bigint')
  size!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** When it was last asked for, to the day. */
  @Index('media_variants_used_at')
  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, default: () => 'now()' })
  usedAt!: Date;

  /** When one that cannot be made may be tried again. */
  @Column({ type: 'timestamptz', name: 'retry_at', precision: 3, nullable: true })
  retryAt!: Date | null;
}
