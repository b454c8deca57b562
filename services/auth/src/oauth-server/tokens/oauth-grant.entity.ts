import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';
import { OAuthClient } from '../clients/oauth-client.entity.js';

/** What a user granted to an application, with the present refresh token and the one access token of it. */
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

  /** What the user agreed to. */
  @Column('text', { array: true })
  scopes!: string[];

  /** The authorization code that it was issued for: presented again, it ends the grant. */
  @Index('oauth_grants_code_hash', { unique: true })
  @Column('text', { name: 'code_hash', nullable: true })
  codeHash!: string | null;

  /**
   * Of the half that all refresh tokens of the grant have; of the whole one on grants from before tokens were replaced.
   */
  @Index('oauth_grants_family_hash', { unique: true })
  @Column('text', { name: 'family_hash' })
  familyHash!: string;

  @Column('text', { name: 'refresh_hash' })
  refreshHash!: string;

  /** Of the refresh token before this one, which is good for a moment longer. */
  @Column('text', { name: 'previous_hash', nullable: true })
  previousHash!: string | null;

  /** When the present refresh token took its place. */
  @Column({ type: 'timestamptz', name: 'refreshed_at', precision: 3, nullable: true })
  refreshedAt!: Date | null;

  /** What successors are derived with, see oauth-token-generator.ts. */
  @Column('text', { name: 'refresh_salt', default: () => 'gen_random_uuid()' })
  refreshSalt!: string;

  @Index('oauth_grants_refresh_expires_at')
  @Column({ type: 'timestamptz', name: 'refresh_expires_at', precision: 3 })
  refreshExpiresAt!: Date;

  /** null once the access token alone was revoked. */
  @Index('oauth_grants_access_hash', { unique: true })
  @Column('text', { name: 'access_hash', nullable: true })
  accessHash!: string | null;

  /** What is left of `scopes` for the role and the client when the access token was issued. */
  @Column('text', { name: 'access_scopes', array: true })
  accessScopes!: string[];

  @Column({ type: 'timestamptz', name: 'access_expires_at', precision: 3 })
  accessExpiresAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
