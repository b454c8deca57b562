import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A challenge for an authenticator to sign. Only the SHA-256 of its text is stored. */
@Entity('passkey_challenges')
export class PasskeyChallenge {
  @PrimaryColumn('text', { name: 'challenge_hash', primaryKeyConstraintName: 'passkey_challenges_pkey' })
  challengeHash!: string;

  @Column('text')
  purpose!: string;

  /** The user who may respond; null for any user. It may be the id of a user who is created later. */
  @Column('text', { name: 'user_id', nullable: true })
  userId!: string | null;

  /** Name of the new passkey. */
  @Column('text', { name: 'passkey_name', nullable: true })
  passkeyName!: string | null;

  @Index('passkey_challenges_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
