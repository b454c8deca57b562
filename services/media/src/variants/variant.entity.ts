import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A variant of the bytes of an image, or a failed attempt to create it. */
@Entity('media_variants')
export class MediaVariant {
  /** The object with the bytes of the image. */
  @PrimaryColumn('text', { name: 'source_key', primaryKeyConstraintName: 'media_variants_pkey' })
  sourceKey!: string;

  /** Width, quality and format: "640-75.webp". */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'media_variants_pkey' })
  name!: string;

  /** Null for a failed attempt. */
  @Column('text', { name: 'object_key', nullable: true })
  objectKey!: string | null;

  /** In bytes. */
  @Column('bigint')
  size!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Time of the last request, to the day. */
  @Index('media_variants_used_at')
  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, default: () => 'now()' })
  usedAt!: Date;

  /** The time from which a failed attempt may be repeated. */
  @Column({ type: 'timestamptz', name: 'retry_at', precision: 3, nullable: true })
  retryAt!: Date | null;
}
