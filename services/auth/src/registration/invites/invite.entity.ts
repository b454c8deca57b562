import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An invitation; one per e-mail address. Only the SHA-256 of the link's token is stored. */
@Entity('invites')
@Index('invites_created_at', ['createdAt', 'userId'])
export class Invite {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'invites_pkey' })
  email!: string;

  @Index('invites_token_hash', { unique: true })
  @Column('text', { name: 'token_hash' })
  tokenHash!: string;

  /** The id of the future user, and the id of the invitation. */
  @Index('invites_user_id', { unique: true })
  @Column('text', { name: 'user_id' })
  userId!: string;

  @Column('integer')
  role!: number;

  /** Whether the link is mailed and not returned to the administrator: its use then verifies the address. */
  @Column('boolean')
  mailed!: boolean;

  /** The inviting administrator; null for an invitation by the system. */
  @Column('text', { name: 'invited_by', nullable: true })
  invitedBy!: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
