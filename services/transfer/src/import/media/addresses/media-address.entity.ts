import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * An address under which bodies of a source name one of its files. It is written when an attachment is seen, in an
 * export or in a list of downloads, and stays: downloads and later imports need it when the export is deleted.
 */
@Entity('media_addresses')
@Index('media_addresses_url_hash', ['urlHash'])
@Index('media_addresses_file_key', ['fileKey'])
export class MediaAddress {
  /** SHA-256 of the address in the form in which addresses are compared, in hexadecimal digits. */
  @PrimaryColumn('text', { name: 'address_key', primaryKeyConstraintName: 'media_addresses_pkey' })
  addressKey!: string;

  @Column('text')
  address!: string;

  /** The address that the file is downloaded from, as in `media_sources`. */
  @Column('text', { name: 'url_hash' })
  urlHash!: string;

  /** xxHash64 of what the addresses of a file have in common, see `fileKeyOf`. */
  @Column('text', { name: 'file_key' })
  fileKey!: string;

  /** Whether the file has this address beside the one that it is downloaded from. */
  @Column('boolean', { name: 'is_alias' })
  isAlias!: boolean;
}
