import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Access of one user to one site at a source. Connecting the site again replaces the access token. */
@Entity('import_connections')
@Index('import_connections_user_id_source_site_id', ['userId', 'source', 'siteId'], { unique: true })
export class ImportConnection {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'import_connections_pkey' })
  id!: string;

  /** Only this user can use the connection. */
  @Column('text', { name: 'user_id' })
  userId!: string;

  /** Id of the import source. */
  @Column('text')
  source!: string;

  /** Id of the site at the provider; its host name where the provider gives none. */
  @Column('text', { name: 'site_id' })
  siteId!: string;

  @Column('text', { name: 'site_url' })
  siteUrl!: string;

  /** The encrypted access token, see AccessTokenCipher. */
  @Column('text', { name: 'sealed_access_token' })
  sealedAccessToken!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
