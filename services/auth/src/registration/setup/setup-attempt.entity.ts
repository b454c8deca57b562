import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A started creation of the first user, bound to a browser. Only the SHA-256 of the browser's nonce is stored. */
@Entity('setup_attempts')
export class SetupAttempt {
  @PrimaryColumn('text', { name: 'nonce_hash', primaryKeyConstraintName: 'setup_attempts_pkey' })
  nonceHash!: string;

  /** The id of the future user. */
  @Column('text', { name: 'user_id' })
  userId!: string;

  @Column('text')
  email!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
