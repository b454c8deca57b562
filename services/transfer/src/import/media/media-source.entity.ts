import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The media item of each downloaded address: a later import does not download it again. */
@Entity('media_sources')
export class MediaSource {
  /** SHA-256 of the address, in hexadecimal digits: addresses are longer than a key may be. */
  @PrimaryColumn('text', { name: 'url_hash', primaryKeyConstraintName: 'media_sources_pkey' })
  urlHash!: string;

  @Column('text', { name: 'media_id' })
  mediaId!: string;
}
