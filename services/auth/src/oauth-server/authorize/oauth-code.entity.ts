import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';
import { OAuthClient } from '../clients/oauth-client.entity.js';

/** An issued authorization code. The first token request with it deletes it. */
@Entity('oauth_codes')
export class OAuthCode {
  @PrimaryColumn('text', { name: 'code_hash', primaryKeyConstraintName: 'oauth_codes_pkey' })
  codeHash!: string;

  @Index('oauth_codes_client_id')
  @Column('text', { name: 'client_id' })
  clientId!: string;

  @ManyToOne(() => OAuthClient, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'oauth_codes_client_id_fkey' })
  client?: Relation<OAuthClient>;

  @Index('oauth_codes_user_id')
  @Column('text', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'oauth_codes_user_id_fkey' })
  user?: Relation<User>;

  @Column('text', { name: 'redirect_uri' })
  redirectUri!: string;

  /** The S256 challenge of PKCE. */
  @Column('text')
  challenge!: string;

  @Column('text', { array: true })
  scopes!: string[];

  @Column('text', { nullable: true })
  resource!: string | null;

  @Index('oauth_codes_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
