import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A challenge that an authenticator is to sign. Only the SHA-256 of its text is stored. */
@Entity('passkey_challenges')
export class PasskeyChallenge {
  @PrimaryColumn('text', { name: 'challenge_hash', primaryKeyConstraintName: 'passkey_challenges_pkey' })
  challengeHash!: string;

  @Column('text')
  purpose!: string;

  /** Whose answer counts; null for anybody's. It may be the id of a user who is yet to be made. */
  @Column('text', { name: 'user_id', nullable: true })
  userId!: string | null;

  /** Name for the passkey that comes of it. */
  @Column('text', { name: 'passkey_name', nullable: true })
  passkeyName!: string | null;

  @Index('passkey_challenges_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
