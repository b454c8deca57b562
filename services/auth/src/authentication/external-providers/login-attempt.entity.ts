import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A login that has been started at a provider. Only the SHA-256 of `state`, cookie and links is stored. */
@Entity('login_attempts')
export class LoginAttempt {
  @PrimaryColumn('text', { name: 'state_hash', primaryKeyConstraintName: 'login_attempts_pkey' })
  stateHash!: string;

  /** The browser that may complete the login, by its cookie. */
  @Column('text', { name: 'browser_hash' })
  browserHash!: string;

  @Column('text')
  provider!: string;

  /** The path to redirect to after the login. */
  @Column('text', { nullable: true })
  redirect!: string | null;

  /** The invitation that the login accepts. */
  @Column('text', { name: 'invite_hash', nullable: true })
  inviteHash!: string | null;

  /** The setup that the login belongs to. */
  @Column('text', { name: 'setup_hash', nullable: true })
  setupHash!: string | null;

  /** The provider's data for the callback, such as a PKCE verifier and a nonce. */
  @Column('json')
  kept!: Record<string, unknown>;

  @Index('login_attempts_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
