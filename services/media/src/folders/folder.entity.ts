import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A folder of the media library; folders are flat (contract 6, MediaFolder). */
@Entity('media_folders')
export class MediaFolder {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'media_folders_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  /** The key by which names are compared and ordered. */
  @Column('text', { name: 'name_key' })
  nameKey!: string;

  /** A digest of `nameKey`, which may be too long for an index. */
  @Index('media_folders_name_digest', { unique: true })
  @Column('text', { name: 'name_digest' })
  nameDigest!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
