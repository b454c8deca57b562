import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An OAuth client (RFC 6749, 2). All are public clients, without a secret. */
@Entity('oauth_clients')
@Index('oauth_clients_unused', ['createdAt', 'id'], {
  where: 'registered_itself AND approved_at IS NULL AND consented_at IS NULL',
})
@Index('oauth_clients_created_at', ['createdAt', 'id'])
export class OAuthClient {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oauth_clients_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { name: 'redirect_uris', array: true })
  redirectUris!: string[];

  /** null: any scope may be requested. */
  @Column('text', { array: true, nullable: true })
  scopes!: string[] | null;

  /** null: any grant type may be used. */
  @Column('text', { name: 'grant_types', array: true, nullable: true })
  grantTypes!: string[] | null;

  /** Whether the client registered itself (RFC 7591). */
  @Column('boolean', { name: 'registered_itself', default: false })
  registeredItself!: boolean;

  /** Time at which an administrator approved the self-registered client. */
  @Column({ type: 'timestamptz', name: 'approved_at', precision: 3, nullable: true })
  approvedAt!: Date | null;

  /** Time of the first consent of a user. */
  @Column({ type: 'timestamptz', name: 'consented_at', precision: 3, nullable: true })
  consentedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
