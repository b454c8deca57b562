import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';

/** A user's login in a browser. Only the SHA-256 of the cookie's text is stored. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sessions_pkey' })
  id!: string;

  @Index('sessions_token_hash', { unique: true })
  @Column('text', { name: 'token_hash' })
  tokenHash!: string;

  @Index('sessions_user_id')
  @Column('text', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sessions_user_id_fkey' })
  user?: Relation<User>;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @Column('text', { name: 'client_address', nullable: true })
  clientAddress!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** The last sign-in or passkey check. */
  @Column({ type: 'timestamptz', name: 'authenticated_at', precision: 3, default: () => 'now()' })
  authenticatedAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_seen_at', precision: 3, default: () => 'now()' })
  lastSeenAt!: Date;

  /** Extended with every use, up to a limit. */
  @Index('sessions_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
