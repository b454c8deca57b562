import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';
import { OAuthClient } from '../clients/oauth-client.entity.js';

/** A user's grant to an application, with its current refresh token and its access token. */
@Entity('oauth_grants')
export class OAuthGrant {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oauth_grants_pkey' })
  id!: string;

  /** null for the device flow without a registered client. */
  @Index('oauth_grants_client_id')
  @Column('text', { name: 'client_id', nullable: true })
  clientId!: string | null;

  @ManyToOne(() => OAuthClient, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'oauth_grants_client_id_fkey' })
  client?: Relation<OAuthClient> | null;

  @Index('oauth_grants_user_id')
  @Column('text', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'oauth_grants_user_id_fkey' })
  user?: Relation<User>;

  /** The scopes that the user approved. */
  @Column('text', { array: true })
  scopes!: string[];

  /** Hash of the authorization code of the grant: a second use of the code revokes the grant. */
  @Index('oauth_grants_code_hash', { unique: true })
  @Column('text', { name: 'code_hash', nullable: true })
  codeHash!: string | null;

  /** Hash of the part that all refresh tokens of the grant share; of the whole token on grants from before rotation. */
  @Index('oauth_grants_family_hash', { unique: true })
  @Column('text', { name: 'family_hash' })
  familyHash!: string;

  @Column('text', { name: 'refresh_hash' })
  refreshHash!: string;

  /** Hash of the previous refresh token, which stays valid for a grace period. */
  @Column('text', { name: 'previous_hash', nullable: true })
  previousHash!: string | null;

  /** Time at which the current refresh token replaced the previous one. */
  @Column({ type: 'timestamptz', name: 'refreshed_at', precision: 3, nullable: true })
  refreshedAt!: Date | null;

  /** Salt for the derivation of successors, see oauth-token-generator.ts. */
  @Column('text', { name: 'refresh_salt', default: () => 'gen_random_uuid()' })
  refreshSalt!: string;

  @Index('oauth_grants_refresh_expires_at')
  @Column({ type: 'timestamptz', name: 'refresh_expires_at', precision: 3 })
  refreshExpiresAt!: Date;

  /** null after the revocation of the access token without its grant. */
  @Index('oauth_grants_access_hash', { unique: true })
  @Column('text', { name: 'access_hash', nullable: true })
  accessHash!: string | null;

  /** `scopes` within the limits of the role and the client at the time of issue. */
  @Column('text', { name: 'access_scopes', array: true })
  accessScopes!: string[];

  @Column({ type: 'timestamptz', name: 'access_expires_at', precision: 3 })
  accessExpiresAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
