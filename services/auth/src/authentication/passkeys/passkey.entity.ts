import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/index.js';

/** A WebAuthn credential of a user, with its public key and the properties of its authenticator. */
@Entity('passkeys')
export class Passkey {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'passkeys_pkey' })
  id!: string;

  @Index('passkeys_user_id')
  @Column('text', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'passkeys_user_id_fkey' })
  user?: Relation<User>;

  /** The credential id that the authenticator assigned, base64url. */
  @Index('passkeys_credential_id', { unique: true })
  @Column('text', { name: 'credential_id' })
  credentialId!: string;

  /** The public key as a COSE key. */
  @Column('bytea', { name: 'public_key' })
  publicKey!: Buffer;

  /** Number of signatures by the authenticator; 0 when it does not count. */
  @Column('bigint')
  counter!: number;

  @Column('text', { name: 'device_type' })
  deviceType!: string;

  @Column('boolean', { name: 'backed_up' })
  backedUp!: boolean;

  @Column('text', { array: true })
  transports!: string[];

  @Column('text', { nullable: true })
  name!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, default: () => 'now()' })
  lastUsedAt!: Date;
}
