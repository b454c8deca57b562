import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A signup link of a user of an allowed domain. Only the SHA-256 of the link's token is stored. */
@Entity('signups')
export class Signup {
  @PrimaryColumn('text', { name: 'token_hash', primaryKeyConstraintName: 'signups_pkey' })
  tokenHash!: string;

  @Column('text')
  email!: string;

  /** The id of the future user. */
  @Column('text', { name: 'user_id' })
  userId!: string;

  @Index('signups_expires_at')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;
}
