import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Somebody who is away at a provider. Of `state`, cookie and links only the SHA-256 is stored. */
@Entity('login_attempts')
export class LoginAttempt {
  @PrimaryColumn('text', { name: 'state_hash', primaryKeyConstraintName: 'login_attempts_pkey' })
  stateHash!: string;

  /** The browser that may come back. */
  @Column('text', { name: 'browser_hash' })
  browserHash!: string;

  @Column('text')
  provider!: string;

  /** Where the browser wants to go afterwards. */
  @Column('text', { nullable: true })
  redirect!: string | null;

  /** The invitation with which it came. */
  @Column('text', { name: 'invite_hash', nullable: true })
  inviteHash!: string | null;

  /** The setup that it is in the middle of. */
  @Column('text', { name: 'setup_hash', nullable: true })
  setupHash!: string | null;

  /** What the provider needs again: a PKCE verifier, a nonce. */
  @Column('json')
  kept!: Record<string, unknown>;

  @Index('login_attempts_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
