import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Somebody whom an administrator has asked to join; one an address. Only the SHA-256 of the link's token is stored. */
@Entity('invites')
@Index('invites_created_at', ['createdAt', 'userId'])
export class Invite {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'invites_pkey' })
  email!: string;

  @Index('invites_token_hash', { unique: true })
  @Column('text', { name: 'token_hash' })
  tokenHash!: string;

  /** The id that the user will have; until then it is the invitation's. */
  @Index('invites_user_id', { unique: true })
  @Column('text', { name: 'user_id' })
  userId!: string;

  @Column('integer')
  role!: number;

  /** Whether the link goes by mail alone: who has it then reads the mail of the address. */
  @Column('boolean')
  mailed!: boolean;

  /** The administrator who invites; null for an invitation of the system itself. */
  @Column('text', { name: 'invited_by', nullable: true })
  invitedBy!: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
