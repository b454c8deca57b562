import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A request for access to a site that a user may grant at the provider. Only the SHA-256 of `state` is stored. */
@Entity('import_authorization_requests')
export class AuthorizationRequest {
  @PrimaryColumn('text', {
    name: 'state_hash',
    primaryKeyConstraintName: 'import_authorization_requests_pkey',
  })
  stateHash!: string;

  /** The user who may complete it. */
  @Column('text', { name: 'user_id' })
  userId!: string;

  /** Address of the site that access is requested to. */
  @Column('text', { name: 'site_url' })
  siteUrl!: string;

  /** The token endpoint requires the same value as the authorization endpoint (RFC 6749, 4.1.3). */
  @Column('text', { name: 'redirect_uri' })
  redirectUri!: string;

  /** The secret of PKCE (RFC 7636). */
  @Column('text', { name: 'code_verifier' })
  codeVerifier!: string;

  @Index('import_authorization_requests_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
