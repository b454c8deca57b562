import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A variant that was made of the bytes of an image. */
@Entity('media_variants')
export class MediaVariant {
  /** The object that the bytes of the image are in. */
  @PrimaryColumn('text', { name: 'source_key', primaryKeyConstraintName: 'media_variants_pkey' })
  sourceKey!: string;

  /** What it looks like: "640-75.webp". */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'media_variants_pkey' })
  name!: string;

  @Column('text', { name: 'object_key' })
  objectKey!: string;

  /** In bytes. */
  @Column('bigint')
  size!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
